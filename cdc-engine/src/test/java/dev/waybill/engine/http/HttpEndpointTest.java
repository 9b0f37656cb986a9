package dev.waybill.engine.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.engine.http.HttpEndpoint.Answer;
import dev.waybill.engine.settings.ConfigurationException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HttpEndpointTest {

  private static final HttpConfig ANY_PORT = new HttpConfig(true, "127.0.0.1", 0);

  private final HttpClient client = HttpClient.newHttpClient();

  private HttpResponse<String> send(HttpEndpoint endpoint, String method, String path)
      throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + endpoint.address().getPort() + path);
    HttpRequest request =
        HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody()).build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void servesEachPageAnewAndNamesTheOthers() throws Exception {
    int[] count = {0};
    try (HttpEndpoint endpoint =
        new HttpEndpoint(
            ANY_PORT, Map.of("/count", () -> Answer.json(503, "{\"é\":" + ++count[0] + "}")))) {
      send(endpoint, "GET", "/count");
      HttpResponse<String> second = send(endpoint, "GET", "/count");
      assertThat(second.statusCode()).isEqualTo(503);
      assertThat(second.body()).isEqualTo("{\"é\":2}");
      assertThat(second.headers().firstValue("content-type")).contains("application/json");
      HttpResponse<String> other = send(endpoint, "GET", "/other");
      assertThat(other.statusCode()).isEqualTo(404);
      assertThat(other.body()).contains("/count");
    }
  }

  @Test
  void answersHeadWithoutABodyAndRefusesToBeWrittenTo() throws Exception {
    try (HttpEndpoint endpoint =
        new HttpEndpoint(ANY_PORT, Map.of("/a", () -> Answer.text(200, "a")))) {
      assertThat(send(endpoint, "HEAD", "/a").body()).isEmpty();
      HttpResponse<String> posted = send(endpoint, "POST", "/a");
      assertThat(posted.statusCode()).isEqualTo(405);
      assertThat(posted.headers().firstValue("allow")).contains("GET, HEAD");
    }
  }

  @Test
  void namesTheAddressThatIsTaken() {
    try (HttpEndpoint endpoint = new HttpEndpoint(ANY_PORT, Map.of())) {
      HttpConfig same = new HttpConfig(true, "127.0.0.1", endpoint.address().getPort());
      assertThatThrownBy(() -> new HttpEndpoint(same, Map.of()).close())
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining(String.valueOf(same.port()));
    }
  }
}
