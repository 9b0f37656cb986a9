package dev.waybill.consumer.handle;

import dev.waybill.consumer.guard.OneTransaction.TransactionWork;
import dev.waybill.event.Event;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which handler an event type goes to: the one of exactly that name, else the one with the longest
 * pattern that fits. Immutable, safe for many threads.
 */
public final class Handlers {

  private static final String WILDCARD = "*";

  /** What is asked for its work on an event. */
  private sealed interface Entry {

    TransactionWork prepare(Event event) throws UndecodablePayloadException;
  }

  private record Raw(EventHandler handler) implements Entry {
    @Override
    public TransactionWork prepare(Event event) {
      return tx -> handler.handle(event, tx);
    }
  }

  private record Typed<T>(Class<T> type, PayloadHandler<? super T> handler, PayloadDecoder decoder)
      implements Entry {
    @Override
    public TransactionWork prepare(Event event) throws UndecodablePayloadException {
      T payload = decode(event);
      return tx -> handler.handle(payload, event, tx);
    }

    private T decode(Event event) throws UndecodablePayloadException {
      byte[] bytes = event.payload();
      if (bytes == null) {
        throw new UndecodablePayloadException(
            "Event %s (%s) has no payload, but its handler wants a %s; a handler without a payload"
                    .formatted(event.id(), event.type(), type.getName())
                + " type takes tombstones",
            null);
      }
      @Nullable T payload;
      try {
        payload = decoder.decode(bytes, type);
      } catch (DecoderUnavailableException e) {
        throw e;
      } catch (Exception | StackOverflowError e) {
        throw new UndecodablePayloadException(
            "The payload of event %s (%s) is no %s: %s"
                .formatted(event.id(), event.type(), type.getName(), e.getMessage()),
            e);
      }
      if (payload == null) {
        throw new UndecodablePayloadException(
            "The payload of event %s (%s) is a JSON null and no %s"
                .formatted(event.id(), event.type(), type.getName()),
            null);
      }
      return payload;
    }
  }

  /**
   * Handlers as they are registered; confined to the thread that builds. Wrong registrations are
   * remembered as problems and reported together.
   */
  public static final class Registrations {

    private final Map<String, Function<PayloadDecoder, Entry>> entries = new HashMap<>();
    private final List<String> problems = new ArrayList<>();
    private boolean typed;

    public void add(String pattern, EventHandler handler) {
      add(pattern, decoder -> new Raw(handler));
    }

    public <T> void add(String pattern, Class<T> type, PayloadHandler<? super T> handler) {
      typed = true;
      add(pattern, decoder -> new Typed<>(type, handler, decoder));
    }

    private void add(String pattern, Function<PayloadDecoder, Entry> entry) {
      int wildcard = pattern.indexOf(WILDCARD);
      if (pattern.isEmpty() || (wildcard >= 0 && wildcard != pattern.length() - 1)) {
        problems.add("on('" + pattern + "'): an event type, or its beginning and a * at the end");
      }
      if (entries.put(pattern, entry) != null) {
        problems.add("on('" + pattern + "') has two handlers");
      }
    }

    /** Whether a decoder is needed. */
    public boolean hasTyped() {
      return typed;
    }

    /** What is wrong, as sentences for people. */
    public List<String> problems() {
      return entries.isEmpty() ? List.of("no handler: call on(…) or onAny(…)") : problems;
    }

    public Handlers with(PayloadDecoder decoder) {
      Map<String, Entry> ready = new HashMap<>();
      entries.forEach((pattern, entry) -> ready.put(pattern, entry.apply(decoder)));
      return new Handlers(ready);
    }
  }

  private final Map<String, Entry> exact;
  private final List<Map.Entry<String, Entry>> prefixes;

  private Handlers(Map<String, Entry> entries) {
    this.exact = Map.copyOf(entries);
    this.prefixes =
        entries.entrySet().stream()
            .filter(entry -> entry.getKey().endsWith(WILDCARD))
            .map(entry -> Map.entry(prefix(entry.getKey()), entry.getValue()))
            .sorted(Comparator.comparing(entry -> -entry.getKey().length()))
            .toList();
  }

  /**
   * The work of the event's handler, its payload decoded; empty if no handler takes the type.
   *
   * @throws UndecodablePayloadException if the handler wants a payload that this is not
   * @throws DecoderUnavailableException if nobody can say so now
   */
  public Optional<TransactionWork> prepare(Event event) throws UndecodablePayloadException {
    Entry entry = find(event.type());
    return entry == null ? Optional.empty() : Optional.of(entry.prepare(event));
  }

  /** An event without a type goes to the pattern that takes everything. */
  private @Nullable Entry find(@Nullable String type) {
    String name = type == null ? "" : type;
    Entry found = exact.get(name);
    if (found != null) {
      return found;
    }
    for (Map.Entry<String, Entry> candidate : prefixes) {
      if (name.startsWith(candidate.getKey())) {
        return candidate.getValue();
      }
    }
    return null;
  }

  private static String prefix(String pattern) {
    return pattern.substring(0, pattern.length() - WILDCARD.length());
  }
}
