package dev.waybill.outbox;

import java.util.Random;

/** Texts that are JSON, or nearly. */
final class MutatedJson {

  private static final String SEED =
      "{\"a\": [1, -0.5e+3, \"x\\u00e9\\n\\\"\", true, null, {}], \"b\" :{\"c\":[[]]}}";

  private final Random random;
  private final String seed;
  private final String material;

  MutatedJson(long seed, String more) {
    this.random = new Random(seed);
    this.seed = SEED.replace("null", "null" + more);
    this.material = this.seed + "\\\\\"\"{}[],:.-+0123eEtfnux \t\n\u0001\u000bé";
  }

  String next() {
    StringBuilder text = new StringBuilder(seed);
    for (int i = random.nextInt(3); i >= 0; i--) {
      int at = random.nextInt(text.length());
      String piece = String.valueOf(material.charAt(random.nextInt(material.length())));
      switch (random.nextInt(3)) {
        case 0 -> text.insert(at, piece);
        case 1 -> text.deleteCharAt(at);
        default -> text.replace(at, at + 1, piece);
      }
    }
    return text.toString();
  }
}
