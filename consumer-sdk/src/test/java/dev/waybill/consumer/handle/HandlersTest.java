package dev.waybill.consumer.handle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waybill.consumer.Events;
import dev.waybill.consumer.guard.EventTransaction;
import dev.waybill.consumer.guard.OneTransaction.TransactionWork;
import dev.waybill.event.Event;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HandlersTest {

  record Order(int quantity) {}

  private final List<String> called = new ArrayList<>();
  private final Handlers.Registrations registrations = new Handlers.Registrations();

  @Test
  void theNarrowestFitWins() throws Exception {
    on("*");
    on("Order*");
    on("OrderLine*");
    on("OrderPaid");
    assertThat(whoTakes("OrderPaid")).isEqualTo("OrderPaid");
    assertThat(whoTakes("OrderLineAdded")).isEqualTo("OrderLine*");
    assertThat(whoTakes("OrderPaidBack")).isEqualTo("Order*");
    assertThat(whoTakes("Refund")).isEqualTo("*");
    assertThat(whoTakes(null)).isEqualTo("*");
  }

  @Test
  void nobodyTakesAnEventThatNoHandlerIsFor() throws Exception {
    on("OrderPaid");
    assertThat(prepare(Events.event("e", "OrderCreated", "1", null))).isEmpty();
    assertThat(prepare(Events.event("e", null, "1", null))).isEmpty();
  }

  @Test
  void decodesThePayload() throws Exception {
    registrations.add(
        "OrderCreated",
        Order.class,
        (order, event, tx) -> called.add("quantity " + order.quantity));
    Event event = payload("{\"quantity\":3,\"unknown\":true}");
    prepare(event).orElseThrow().run(nowhere());
    assertThat(called).containsExactly("quantity 3");
  }

  @Test
  void anyJacksonCanBeTheDecoder() throws Exception {
    PayloadDecoder decoder = new ObjectMapper()::readValue;
    assertThat(decoder.decode("{\"quantity\":3}".getBytes(UTF_8), Order.class))
        .isEqualTo(new Order(3));
  }

  @Test
  void c07_aTombstoneIsATypedErrorForATypedHandlerAndNullForARawOne() throws Exception {
    registrations.add("OrderCreated", Order.class, (order, event, tx) -> called.add("typed"));
    registrations.add(
        "OrderDeleted",
        (event, tx) -> called.add(event.payload() == null ? "tombstone" : "payload"));
    assertThatThrownBy(() -> prepare(payload(null)))
        .isInstanceOf(UndecodablePayloadException.class)
        .hasMessageContaining("has no payload");
    Event deleted = Events.withPayload("e", "OrderDeleted", "1", null, null);
    prepare(deleted).orElseThrow().run(nowhere());
    assertThat(called).containsExactly("tombstone");
  }

  @Test
  void aPayloadThatIsSomethingElseIsUndecodable() {
    registrations.add("OrderCreated", Order.class, (order, event, tx) -> {});
    for (String payload : List.of("", " ", "null", "[1", "\"text\"", "{\"quantity\":\"x\"}")) {
      assertThatThrownBy(() -> prepare(payload(payload)))
          .as(payload)
          .isInstanceOf(UndecodablePayloadException.class)
          .hasMessageContaining("event e (OrderCreated)");
    }
  }

  @Test
  void reportsAllThatIsWrongWithTheRegistrations() {
    on("Order*Paid");
    on("");
    on("OrderPaid");
    on("OrderPaid");
    assertThat(registrations.problems()).hasSize(3);
    assertThat(new Handlers.Registrations().problems()).hasSize(1);
  }

  private void on(String pattern) {
    registrations.add(pattern, (event, tx) -> called.add(pattern));
  }

  private String whoTakes(@Nullable String type) throws Exception {
    called.clear();
    prepare(Events.event("e", type, "1", null)).orElseThrow().run(nowhere());
    return called.get(0);
  }

  private static Event payload(@Nullable String payload) {
    return Events.withPayload(
        "e", "OrderCreated", "1", null, payload == null ? null : payload.getBytes(UTF_8));
  }

  private Optional<TransactionWork> prepare(Event event) throws Exception {
    return registrations.with(Decoders.present().orElseThrow()).prepare(event);
  }

  private static EventTransaction nowhere() {
    return new EventTransaction() {
      @Override
      public Connection connection() {
        throw new UnsupportedOperationException("these handlers write nothing");
      }
    };
  }
}
