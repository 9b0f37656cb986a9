package dev.waybill.engine.capture;

import dev.waybill.engine.capture.SourceConfig.Login;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;

/** Opens connections to the source. Safe for use by many threads. */
record PostgresConnections(Login login, String engine) {

  private static final int CONNECT_SECONDS = 10;
  private static final int ANSWER_SECONDS = 60;

  static PostgresConnections of(SourceConfig config) {
    return new PostgresConnections(config.login(), config.engine());
  }

  /** For short statements; autocommit, and no answer within a minute is an error. */
  Connection open() throws SQLException {
    Properties properties = properties();
    properties.setProperty("socketTimeout", Integer.toString(ANSWER_SECONDS));
    return DriverManager.getConnection(login.url(), properties);
  }

  /** For statements that may take long. */
  Connection openPatient() throws SQLException {
    return DriverManager.getConnection(login.url(), properties());
  }

  /** For commands of the replication protocol, without time limit. */
  Connection openReplication() throws SQLException {
    Properties properties = properties();
    properties.setProperty("replication", "database");
    properties.setProperty("preferQueryMode", "simple");
    properties.setProperty("assumeMinServerVersion", "14");
    return DriverManager.getConnection(login.url(), properties);
  }

  private Properties properties() {
    Properties properties = new Properties();
    properties.setProperty("user", login.user());
    properties.setProperty("password", login.password());
    properties.setProperty("ApplicationName", "waybill " + engine);
    properties.setProperty("connectTimeout", Integer.toString(CONNECT_SECONDS));
    properties.setProperty("tcpKeepAlive", "true");
    return properties;
  }

  /** For messages: where a connection goes. */
  @Override
  public String toString() {
    return login.toString();
  }
}
