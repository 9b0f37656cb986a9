package dev.waybill.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Who links the SDK gets little with it. */
class DependencyTest {

  @Test
  void usersGetOnlyTheSchemaKafkasClientsAndTheLoggingApi() throws Exception {
    assertThat(dependencies(Path.of("pom.xml")))
        .containsExactlyInAnyOrder("outbox-schema", "kafka-clients", "slf4j-api");
    assertThat(dependencies(Path.of("..", "outbox-schema", "pom.xml"))).isEmpty();
  }

  /** Those that Maven passes on. */
  private static List<String> dependencies(Path pom) throws Exception {
    List<String> passedOn = new ArrayList<>();
    NodeList all =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(pom.toFile())
            .getElementsByTagName("dependency");
    for (int i = 0; i < all.getLength(); i++) {
      Element dependency = (Element) all.item(i);
      String scope = text(dependency, "scope");
      boolean kept = scope.isEmpty() || scope.equals("compile") || scope.equals("runtime");
      if (kept && !text(dependency, "optional").equals("true")) {
        passedOn.add(text(dependency, "artifactId"));
      }
    }
    return passedOn;
  }

  private static String text(Element dependency, String name) {
    NodeList found = dependency.getElementsByTagName(name);
    return found.getLength() == 0 ? "" : found.item(0).getTextContent().strip();
  }
}
