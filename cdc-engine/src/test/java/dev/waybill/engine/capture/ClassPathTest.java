package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The tests of this package run on the class path that the engine is shipped with: without the REST
 * server of a Kafka Connect worker.
 */
class ClassPathTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "com.google.protobuf.Message",
        "io.github.classgraph.ClassGraph",
        "io.swagger.v3.oas.annotations.Operation",
        "javax.xml.bind.JAXBContext",
        "org.apache.kafka.connect.file.FileStreamSourceConnector",
        "org.eclipse.jetty.server.Server",
        "org.glassfish.hk2.api.ServiceLocator",
        "org.glassfish.jersey.server.ResourceConfig",
      })
  void holds_no_web_server(String className) {
    assertThat(className.replace('.', '/') + ".class")
        .satisfies(file -> assertThat(getClass().getClassLoader().getResource(file)).isNull());
  }
}
