package dev.waybill.engine.capture;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A JDBC URL taken apart, since Debezium wants its parts.
 *
 * @param host a name or an address, an IPv6 one in its brackets
 * @param parameters what follows the question mark
 */
record MySqlUrl(String host, String port, String database, Map<String, String> parameters) {

  private static final Pattern FORM =
      Pattern.compile(
          "jdbc:mysql://(?<host>\\[[0-9A-Fa-f:.]+]|[^\\[\\]/?:@,()=]+)(?::(?<port>[0-9]{1,5}))?"
              + "/(?<database>[^/?&=]+)(?:\\?(?<parameters>.*))?");

  private static final Pattern SEVERAL_HOSTS =
      Pattern.compile("jdbc:mysql://[^/@]*,[^/@]*/.*", Pattern.DOTALL);

  private static final String DEFAULT_PORT = "3306";

  private static final List<String> LOGIN = List.of("user", "password");

  /** What Connector/J took before it had {@code sslMode}; Debezium would not see it. */
  private static final List<String> OLD_TLS =
      List.of("useSSL", "requireSSL", "verifyServerCertificate");

  private static final String TLS_MODE = "sslMode";
  private static final List<String> TLS_MODES =
      List.of("DISABLED", "PREFERRED", "REQUIRED", "VERIFY_CA", "VERIFY_IDENTITY");

  private static final String FILE = "file:";
  private static final Map<String, String> TLS_STORES =
      Map.of(
          "trustCertificateKeyStoreUrl", "database.ssl.truststore",
          "clientCertificateKeyStoreUrl", "database.ssl.keystore");
  private static final Map<String, String> TLS_PASSWORDS =
      Map.of(
          "trustCertificateKeyStorePassword", "database.ssl.truststore.password",
          "clientCertificateKeyStorePassword", "database.ssl.keystore.password");

  static void addProblems(String url, List<String> problems) {
    MySqlUrl parsed = parse(url);
    if (parsed == null) {
      problems.add(
          SEVERAL_HOSTS.matcher(url).matches()
              ? "source.url must name one host: the log is read from one server"
              : "source.url must look like jdbc:mysql://host:3306/database");
      return;
    }
    for (String login : LOGIN) {
      if (parsed.parameters().containsKey(login)) {
        problems.add(
            "source.url must not hold the %s, for it is printed: that belongs into source.%s"
                .formatted(login, login));
      }
    }
    parsed.addTlsProblems(problems);
  }

  /** What Connector/J and Debezium's reader of the log would not take alike. */
  private void addTlsProblems(List<String> problems) {
    String modes = TLS_MODE + "=" + String.join(", ", TLS_MODES);
    for (String old : OLD_TLS) {
      if (parameters.containsKey(old)) {
        problems.add("source.url holds " + old + ", which is no longer taken; use one of " + modes);
      }
    }
    String mode = parameters.getOrDefault(TLS_MODE, "PREFERRED");
    if (!TLS_MODES.contains(mode.toUpperCase(Locale.ROOT))) {
      problems.add("source.url holds " + TLS_MODE + "=" + mode + "; it is one of " + modes);
    }
    for (String store : new TreeSet<>(TLS_STORES.keySet())) {
      if (!parameters.getOrDefault(store, FILE).startsWith(FILE)) {
        problems.add("source.url must name a file in " + store + ", such as file:/etc/tls/ca.p12");
      }
    }
  }

  /** Empty if the URL is not as it must be. */
  static Optional<String> database(String url) {
    return Optional.ofNullable(parse(url)).map(MySqlUrl::database);
  }

  static MySqlUrl of(String url) {
    MySqlUrl parsed = parse(url);
    if (parsed == null) {
      throw new IllegalArgumentException("no JDBC URL of MySQL: " + url);
    }
    return parsed;
  }

  private static @Nullable MySqlUrl parse(String url) {
    Matcher matcher = FORM.matcher(url);
    if (!matcher.matches()) {
      return null;
    }
    String port = matcher.group("port");
    return new MySqlUrl(
        matcher.group("host"),
        port == null ? DEFAULT_PORT : port,
        decode(matcher.group("database")),
        parameters(matcher.group("parameters")));
  }

  private static Map<String, String> parameters(@Nullable String text) {
    Map<String, String> parameters = new TreeMap<>();
    for (String parameter : text == null ? new String[0] : text.split("&", -1)) {
      int sign = parameter.indexOf('=');
      if (sign > 0) {
        parameters.put(decode(parameter.substring(0, sign)), decode(parameter.substring(sign + 1)));
      }
    }
    return Map.copyOf(parameters);
  }

  /** As Connector/J does; what is no code stays as it is. */
  private static String decode(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return text;
    }
  }

  /** What Debezium is told of the parameters, for its JDBC connection and its reader of the log. */
  Map<String, String> debeziumProperties() {
    Map<String, String> properties = new TreeMap<>();
    parameters.forEach((name, value) -> putDebezium(name, value, properties));
    return properties;
  }

  private static void putDebezium(String name, String value, Map<String, String> properties) {
    String store = TLS_STORES.get(name);
    String password = TLS_PASSWORDS.get(name);
    if (name.equals(TLS_MODE)) {
      properties.put("database.ssl.mode", value.toLowerCase(Locale.ROOT));
    } else if (store != null) {
      properties.put(store, path(value));
    } else if (password != null) {
      properties.put(password, value);
    } else {
      properties.put("driver." + name, value);
    }
  }

  /** Of {@code file:/a}, {@code file:///a} and {@code file:a}. */
  private static String path(String fileUrl) {
    String path = fileUrl.substring(FILE.length());
    return path.startsWith("//") ? path.substring(2) : path;
  }
}
