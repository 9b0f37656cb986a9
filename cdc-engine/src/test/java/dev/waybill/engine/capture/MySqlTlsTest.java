package dev.waybill.engine.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.shyiko.mysql.binlog.BinaryLogClient;
import com.github.shyiko.mysql.binlog.io.BufferedSocketInputStream;
import com.github.shyiko.mysql.binlog.network.SSLMode;
import dev.waybill.engine.capture.SourceConfig.Login;
import dev.waybill.servers.MySqlServer;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Properties;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log is read through TLS that trusts whom the configuration trusts. */
class MySqlTlsTest {

  private static final String PASSWORD = "changeit";

  /** Of the authority that the server has made for itself. */
  private static Path trustStore(Outbox outbox, Path folder) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    Path ca = Path.of(outbox.query("SELECT @@datadir").get(0), "ca.pem");
    try (InputStream in = Files.newInputStream(ca)) {
      store.setCertificateEntry(
          "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    Path file = folder.resolve("trust.p12");
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, PASSWORD.toCharArray());
    }
    return file;
  }

  @Test
  void a_server_of_the_trusted_authority_is_read_encrypted(@TempDir Path folder) throws Exception {
    try (Outbox outbox = Outbox.mysql()) {
      Login login = outbox.config().login();
      String url =
          login.url()
              + "?sslMode=VERIFY_CA&trustCertificateKeyStoreType=PKCS12"
              + ("&trustCertificateKeyStoreUrl=file:" + trustStore(outbox, folder))
              + ("&trustCertificateKeyStorePassword=" + PASSWORD);
      Source source = outbox.sourceAs(new Login(url, login.user(), login.password()));
      try (Reading reading = Reading.of(source, outbox.begin())) {
        outbox.insert("a");
        assertThat(reading.awaitEventIds(1)).containsExactly("a");
        assertThat(
                outbox.query(
                    "SELECT connection_type FROM performance_schema.threads"
                        + " WHERE processlist_command LIKE 'Binlog Dump%'"))
            .containsExactly("SSL/TLS");
      }
    }
  }

  /** Connector/J would have refused it already; this is the reader of the log by itself. */
  @Test
  void a_server_of_another_authority_is_refused_where_that_matters(@TempDir Path folder)
      throws Exception {
    try (Outbox outbox = Outbox.mysql()) {
      Properties none = new Properties();
      connect(SSLMode.REQUIRED, none).disconnect();
      assertThatThrownBy(() -> connect(SSLMode.VERIFY_CA, none)).isInstanceOf(SSLException.class);
      Properties trusting = new Properties();
      trusting.setProperty("database.ssl.truststore", trustStore(outbox, folder).toString());
      trusting.setProperty("database.ssl.truststore.password", PASSWORD);
      connect(SSLMode.VERIFY_CA, trusting).disconnect();
      // The server notices with its next event.
      outbox.endConnections();
    }
  }

  private static BinaryLogClient connect(SSLMode mode, Properties debezium) throws Exception {
    MySqlServer server = SharedServer.mysql();
    BinaryLogClient client =
        new BinaryLogClient("127.0.0.1", server.port(), "waybill_capture", "capture");
    client.setKeepAlive(false);
    client.setSSLMode(mode);
    client.setSslSocketFactory(BinlogTls.of(debezium, mode));
    client.connect(Reading.PATIENCE.toMillis());
    return client;
  }

  @Test
  void bytes_are_read_through_a_buffer() throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), SharedServer.mysql().port());
        Socket tls = BinlogTls.of(new Properties(), SSLMode.REQUIRED).createSocket(socket)) {
      assertThat(tls.getInputStream()).isInstanceOf(BufferedSocketInputStream.class);
    }
  }
}
