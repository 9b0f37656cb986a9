package dev.waybill.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A PostgreSQL server of version 14, 16 or 18. Passwords are checked (scram-sha-256), WAL is
 * written for logical decoding. It does not fsync: data survives the death of every process, but
 * not the death of the machine.
 */
public final class PostgresServer extends LocalDatabaseServer {

  /** Fast shutdown: open transactions are rolled back, the log is flushed to its readers. */
  private static final String SHUTDOWN = "INT";

  private final Path bin;
  private final Path data;

  private PostgresServer(Path bin, int port) {
    super(
        DatabaseProduct.POSTGRESQL,
        new DatabaseProcess("PostgreSQL", Folders.temporary("waybill-postgres-"), Map.of()),
        SHUTDOWN,
        port);
    this.bin = bin;
    this.data = process.folder().resolve("data");
  }

  /** For a server of major version 14, 16 or 18. */
  public static Builder builder(int version) {
    return new Builder(version);
  }

  @Override
  public void start() {
    if (!isRunning()) {
      process.start(List.of(program("postgres"), "-D", data.toString()), this::isReady);
    }
  }

  /** Immediate shutdown: as after a crash, the next start recovers from the log. */
  public void stopImmediately() {
    process.end("QUIT");
  }

  private void initialise(Map<String, String> settings) {
    try {
      Path password = Files.writeString(process.folder().resolve("password"), password());
      ProcessUser.own(password);
      process.run(
          List.of(
              program("initdb"),
              "--pgdata=" + data,
              "--username=" + user(),
              "--pwfile=" + password,
              "--auth=scram-sha-256",
              "--encoding=UTF8",
              "--locale=C",
              "--no-sync"));
      Files.writeString(
          data.resolve("postgresql.auto.conf"), configuration(settings), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String configuration(Map<String, String> settings) {
    StringBuilder lines = new StringBuilder("port = " + port() + "\n");
    settings.forEach(
        (name, value) ->
            lines.append(name).append(" = '").append(value.replace("'", "''")).append("'\n"));
    return lines.toString();
  }

  private String program(String name) {
    return bin.resolve(name).toString();
  }

  /**
   * As pg_ctl finds out: the first line of postmaster.pid is the process, the eighth its state (see
   * miscadmin.h of PostgreSQL).
   */
  private boolean isReady(ServerProcess started) throws IOException {
    try {
      List<String> lines = Files.readAllLines(data.resolve("postmaster.pid"));
      return lines.size() >= 8
          && lines.get(0).equals(Long.toString(started.pid()))
          && lines.get(7).startsWith("ready");
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /** How the server is set up. */
  public static final class Builder {

    private final int version;
    private final Map<String, String> settings = new LinkedHashMap<>();
    private int port;

    private Builder(int version) {
      this.version = version;
      setting("listen_addresses", "127.0.0.1");
      setting("unix_socket_directories", "");
      setting("timezone", "UTC");
      setting("log_timezone", "UTC");
      setting("wal_level", "logical");
      setting("max_wal_senders", "50");
      setting("max_replication_slots", "50");
      setting("max_connections", "200");
      setting("shared_buffers", "64MB");
      setting("fsync", "off");
      setting("full_page_writes", "off");
    }

    /** A line of postgresql.conf, in place of the default of the server or of this module. */
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
    public PostgresServer start() {
      PostgresServer server =
          new PostgresServer(
              PostgresBinaries.folder(version).resolve("bin"), port == 0 ? FreePort.next() : port);
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
