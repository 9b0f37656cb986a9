package dev.waybill.engine.capture;

import com.github.shyiko.mysql.binlog.network.SSLMode;
import com.github.shyiko.mysql.binlog.network.SSLSocketFactory;
import java.io.File;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Properties;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * TLS for the reader of the log, through a buffer. The client of the binary log reads single bytes.
 * From a socket without TLS it reads them through a buffer; from one with TLS each takes that one's
 * locks, and an event cost a third more CPU than without TLS, over the whole process, where it now
 * costs a tenth more (Debezium 3.6.1, 280-byte payloads). Whom it trusts, and what it shows of
 * itself, is as Debezium has it. Safe for use by many threads.
 */
final class BinlogTls implements SSLSocketFactory {

  private static final String KEY_STORE = "database.ssl.keystore";
  private static final String TRUST_STORE = "database.ssl.truststore";
  private static final String PASSWORD = ".password";

  private final SSLContext context;

  private BinlogTls(SSLContext context) {
    this.context = context;
  }

  /**
   * @param debezium what its connector was told
   * @throws IllegalStateException if a store cannot be read
   */
  static BinlogTls of(Properties debezium, SSLMode mode) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys(debezium), trust(store(debezium, TRUST_STORE), mode), null);
      return new BinlogTls(context);
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("TLS to the server cannot be prepared: " + e.getMessage(), e);
    }
  }

  private static KeyManager @Nullable [] keys(Properties debezium)
      throws GeneralSecurityException, IOException {
    KeyStore store = store(debezium, KEY_STORE);
    if (store == null) {
      return null;
    }
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, password(debezium, KEY_STORE));
    return keys.getKeyManagers();
  }

  private static TrustManager[] trust(@Nullable KeyStore store, SSLMode mode)
      throws GeneralSecurityException {
    if (store == null && (mode == SSLMode.PREFERRED || mode == SSLMode.REQUIRED)) {
      return new TrustManager[] {new AnyServer()};
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    return trust.getTrustManagers();
  }

  private static @Nullable KeyStore store(Properties debezium, String key)
      throws GeneralSecurityException, IOException {
    String file = debezium.getProperty(key);
    return file == null ? null : KeyStore.getInstance(new File(file), password(debezium, key));
  }

  private static char @Nullable [] password(Properties debezium, String key) {
    String password = debezium.getProperty(key + PASSWORD);
    return password == null ? null : password.toCharArray();
  }

  @Override
  public SSLSocket createSocket(Socket socket) throws SocketException {
    try {
      return new BufferedTlsSocket(
          (SSLSocket)
              context
                  .getSocketFactory()
                  .createSocket(
                      socket, socket.getInetAddress().getHostName(), socket.getPort(), true));
    } catch (IOException e) {
      SocketException failure = new SocketException(e.getMessage());
      failure.initCause(e);
      throw failure;
    }
  }

  /** What {@code PREFERRED} and {@code REQUIRED} mean: encryption, whoever it is. */
  private static final class AnyServer implements X509TrustManager {

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
