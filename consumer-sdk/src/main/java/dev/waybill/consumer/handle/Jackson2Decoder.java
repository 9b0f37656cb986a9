package dev.waybill.consumer.handle;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;

/**
 * JSON by Jackson 2 with the modules on the class path. Members that the class does not know are
 * passed over, so that producers may add some. Loaded only where Jackson is there.
 */
final class Jackson2Decoder implements PayloadDecoder {

  private final ObjectMapper mapper =
      JsonMapper.builder()
          .findAndAddModules()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  @Override
  public <T> T decode(byte[] payload, Class<T> type) throws IOException {
    return mapper.readValue(payload, type);
  }
}
