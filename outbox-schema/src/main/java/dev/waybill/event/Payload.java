package dev.waybill.event;

import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What an event says, and which kind of column can hold it. A tombstone has none. */
public sealed interface Payload {

  <T extends @Nullable Object> T match(Function<Json, T> json, Function<Binary, T> binary);

  /** JSON, kept character by character. */
  record Json(String text) implements Payload {

    public Json {
      Objects.requireNonNull(text, "text");
    }

    @Override
    public <T extends @Nullable Object> T match(
        Function<Json, T> json, Function<Binary, T> binary) {
      return json.apply(this);
    }
  }

  /** Bytes of any format, such as Avro or Protobuf. The array is shared: do not change it. */
  record Binary(byte[] bytes) implements Payload {

    public Binary {
      Objects.requireNonNull(bytes, "bytes");
    }

    @Override
    public <T extends @Nullable Object> T match(
        Function<Json, T> json, Function<Binary, T> binary) {
      return binary.apply(this);
    }
  }
}
