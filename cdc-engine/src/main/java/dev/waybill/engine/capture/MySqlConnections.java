package dev.waybill.engine.capture;

import dev.waybill.engine.capture.SourceConfig.Login;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;

/** Opens connections to the source. Safe for use by many threads. */
record MySqlConnections(Login login, String engine) {

  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(60);

  static MySqlConnections of(SourceConfig config) {
    return new MySqlConnections(config.login(), config.engine());
  }

  /** For short statements; autocommit, and no answer within a minute is an error. */
  Connection open() throws SQLException {
    Properties properties = properties();
    properties.setProperty("socketTimeout", Long.toString(ANSWER_LIMIT.toMillis()));
    return DriverManager.getConnection(login.url(), properties);
  }

  /** For statements that may take long. */
  Connection openPatient() throws SQLException {
    return DriverManager.getConnection(login.url(), properties());
  }

  /**
   * They win over those of the URL. Texts come in UTF-8, whatever their column's charset, and times
   * in UTC; without them Connector/J leaves the one as it is stored and takes the other from the
   * JVM.
   */
  private Properties properties() {
    Properties properties = new Properties();
    properties.setProperty("user", login.user());
    properties.setProperty("password", login.password());
    properties.setProperty("connectionAttributes", "program_name:waybill " + engine);
    properties.setProperty("connectTimeout", Long.toString(CONNECT_LIMIT.toMillis()));
    properties.setProperty("tcpKeepAlive", "true");
    properties.setProperty("characterEncoding", "UTF-8");
    properties.setProperty("characterSetResults", "UTF-8");
    properties.setProperty("connectionTimeZone", "UTC");
    properties.setProperty("forceConnectionTimeZoneToSession", "true");
    return properties;
  }

  /** For messages: where a connection goes. */
  @Override
  public String toString() {
    return login.toString();
  }
}
