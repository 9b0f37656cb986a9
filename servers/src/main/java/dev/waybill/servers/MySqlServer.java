package dev.waybill.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A MySQL server of version 8.0.31, on Linux on amd64 only. Passwords are checked
 * (caching_sha2_password), TLS is offered, the binary log is written in rows and with GTIDs. It
 * does not fsync: data survives the death of the process, but not the death of the machine.
 */
public final class MySqlServer extends LocalDatabaseServer {

  /** "Ready for connections", see messages_to_error_log.txt of MySQL. */
  private static final String READY = "[MY-010931]";

  /** Sessions are ended, what they had open is rolled back. */
  private static final String SHUTDOWN = "TERM";

  private final Path base = MySqlBinaries.folder();
  private final Map<String, String> environment;
  private final Path data;
  private final Path configuration;

  private MySqlServer(Path folder, Map<String, String> environment, int port) {
    super(DatabaseProduct.MYSQL, new DatabaseProcess("MySQL", folder, environment), SHUTDOWN, port);
    this.environment = environment;
    this.data = folder.resolve("data");
    this.configuration = folder.resolve("my.cnf");
  }

  public static Builder builder() {
    return new Builder();
  }

  @Override
  public void start() {
    if (!isRunning()) {
      List<String> command = List.of(mysqld().toString(), "--defaults-file=" + configuration);
      process.start(command, started -> process.hasLogged(READY));
    }
  }

  private void initialise(Map<String, String> settings) {
    MySqlLibraries.require(mysqld(), environment);
    Folders.copy(MySqlData.initialised(base, process), data);
    Map<String, String> all = new LinkedHashMap<>();
    all.put("basedir", base.toString());
    all.put("datadir", data.toString());
    all.put("port", String.valueOf(port()));
    all.put("server_id", String.valueOf(port()));
    all.putAll(settings);
    try {
      Files.writeString(configuration, lines(all));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String lines(Map<String, String> settings) {
    StringBuilder lines = new StringBuilder("[mysqld]\n");
    settings.forEach((name, value) -> lines.append(name + " = " + value + "\n"));
    return lines.toString();
  }

  private Path mysqld() {
    return base.resolve("bin").resolve("mysqld");
  }

  /** How the server is set up. */
  public static final class Builder {

    private final Map<String, String> settings = new LinkedHashMap<>();
    private int port;

    private Builder() {
      setting("bind_address", "127.0.0.1");
      setting("socket", "mysqld.sock");
      setting("mysqlx", "OFF");
      setting("skip_name_resolve", "ON");
      setting("default_time_zone", "+00:00");
      setting("character_set_server", "utf8mb4");
      setting("gtid_mode", "ON");
      setting("enforce_gtid_consistency", "ON");
      setting("binlog_format", "ROW");
      setting("max_connections", "200");
      // Every commit reaches the kernel, nothing waits for the disk.
      setting("sync_binlog", "0");
      setting("innodb_flush_log_at_trx_commit", "2");
      setting("innodb_flush_method", "nosync");
      // The kernel's asynchronous I/O is scarce where many servers run.
      setting("innodb_use_native_aio", "OFF");
      setting("innodb_buffer_pool_size", "64M");
      setting("innodb_redo_log_capacity", MySqlData.REDO_LOG);
      // With the defaults, performance_schema takes 230 MB.
      setting("table_open_cache", "400");
      setting("table_definition_cache", "400");
    }

    /**
     * A line of my.cnf, in place of the default of the server or of this module; names with
     * underscores.
     */
    public Builder setting(String name, String value) {
      settings.put(name, value);
      return this;
    }

    /** This port instead of any free one. */
    public Builder port(int port) {
      this.port = port;
      return this;
    }

    /** Initialises and starts the server; returns once clients are served. */
    public MySqlServer start() {
      Path folder = Folders.temporary("waybill-mysql-");
      MySqlServer server =
          new MySqlServer(
              folder,
              MySqlLibraries.environment(folder, MySqlLibraries.RENAMED_LIBAIO),
              port == 0 ? FreePort.next() : port);
      try {
        server.initialise(settings);
        server.start();
        return server;
      } catch (RuntimeException e) {
        server.close();
        throw e;
      }
    }
  }
}
