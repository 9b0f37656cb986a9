package dev.waybill.engine.route;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waybill.event.Event;
import dev.waybill.wire.EventDecoder;
import dev.waybill.wire.TopicNames;
import dev.waybill.wire.TopicTemplate;
import java.util.Map;
import java.util.Objects;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Whatever the columns hold. */
final class RouterProperties {

  private final Router router =
      new Router(new RouteConfig(TopicTemplate.DEFAULT, HeaderFormat.CLOUDEVENTS, "/waybill/shop"));

  @Property
  void whatIsPublishedIsWhatWasInserted(@ForAll("rows") Rows row) {
    Route route = router.route(row.change());
    if (!(route instanceof Route.Publish publish)) {
      assertThat(((Route.Park) route).reason()).isNotBlank();
      return;
    }
    Event event = EventDecoder.decode(publish.record());
    assertThat(TopicNames.problem(publish.record().topic())).isNull();
    assertThat(event.id()).isEqualTo(row.eventId());
    assertThat(event.payload())
        .isEqualTo(row.payload() == null ? null : row.payload().getBytes(UTF_8));
    String key = row.key() != null ? row.key() : row.aggregateId();
    assertThat(publish.record().key()).isEqualTo(Objects.requireNonNull(key).getBytes(UTF_8));
  }

  @Property
  void everyObjectOfStringsBecomesHeaders(@ForAll("headers") Map<String, String> headers)
      throws Exception {
    String text = new ObjectMapper().writeValueAsString(headers);
    Route route = router.route(Rows.row("e1").withHeaders(text).change());

    assertThat(EventDecoder.decode(((Route.Publish) route).record()).headers()).isEqualTo(headers);
  }

  @Provide
  Arbitrary<Rows> rows() {
    Arbitrary<String> text =
        Arbitraries.strings().all().excludeChars(surrogates()).ofMaxLength(70).injectNull(0.1);
    Arbitrary<String> topic =
        Arbitraries.oneOf(text, Arbitraries.strings().withChars("aB.-_ /").ofMaxLength(5))
            .injectNull(0.5);
    return Combinators.combine(text, text, text, topic, text, text, text)
        .as(
            (eventId, type, aggregateId, t, key, payload, headers) ->
                new Rows("1", eventId, type, aggregateId, t, key, payload, headers, null))
        .map(
            row ->
                row.headers() == null || row.headers().length() % 2 == 0
                    ? row.withHeaders(null)
                    : row);
  }

  @Provide
  Arbitrary<Map<String, String>> headers() {
    Arbitrary<String> text = Arbitraries.strings().all().excludeChars(surrogates()).ofMaxLength(20);
    return Arbitraries.maps(text.filter(name -> !HeaderFormat.CLOUDEVENTS.isReserved(name)), text)
        .ofMaxSize(8);
  }

  private static char[] surrogates() {
    char[] all = new char[Character.MAX_SURROGATE - Character.MIN_SURROGATE + 1];
    for (int i = 0; i < all.length; i++) {
      all[i] = (char) (Character.MIN_SURROGATE + i);
    }
    return all;
  }
}
