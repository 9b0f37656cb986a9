package dev.waybill.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL server of version 14, 16 or 18. Passwords are checked (scram-sha-256), WAL is
 * written for logical decoding. It does not fsync: data survives the death of every process, but
 * not the death of the machine.
 */
public final class PostgresServer implements DatabaseServer {

  private static final String SUPERUSER = "postgres";
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long LOOK_AGAIN_MILLIS = 50;

  private final Path bin;
  private final Path folder = Folders.temporary("waybill-postgres-");
  private final Path data = folder.resolve("data");
  private final Path log = folder.resolve("server.log");
  private final int port;
  private final AtomicInteger databases = new AtomicInteger();
  private final Runnable closer = this::close;
  private @Nullable ServerProcess process;

  private PostgresServer(Builder builder) {
    this.bin = PostgresBinaries.folder(builder.version).resolve("bin");
    this.port = builder.port == 0 ? FreePort.next() : builder.port;
    OpenServers.add(closer);
  }

  /** For a server of major version 14, 16 or 18. */
  public static Builder builder(int version) {
    return new Builder(version);
  }

  @Override
  public void start() {
    if (isRunning()) {
      return;
    }
    ServerProcess started = run(List.of("postgres", "-D", data.toString()));
    process = started;
    try {
      awaitReady(started);
    } catch (InterruptedException e) {
      throw ServerProcess.interrupted(e);
    }
  }

  /** Fast shutdown: open transactions are rolled back, the log is flushed to its readers. */
  @Override
  public void stop() {
    end("INT");
  }

  /** Immediate shutdown: as after a crash, the next start recovers from the log. */
  public void stopImmediately() {
    end("QUIT");
  }

  @Override
  public void kill() {
    if (process != null) {
      process.kill();
      process = null;
    }
  }

  @Override
  public boolean isRunning() {
    return process != null && process.isAlive();
  }

  @Override
  public void close() {
    kill();
    Folders.delete(folder);
    OpenServers.remove(closer);
  }

  public int port() {
    return port;
  }

  /** The postmaster's process id. */
  public long pid() {
    if (process == null) {
      throw new IllegalStateException("PostgreSQL does not run");
    }
    return process.pid();
  }

  /** The server's own log, in English. */
  public Path log() {
    return log;
  }

  @Override
  public String jdbcUrl(String database) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
  }

  @Override
  public String user() {
    return SUPERUSER;
  }

  @Override
  public String password() {
    return SUPERUSER;
  }

  @Override
  public Database createDatabase() {
    return createDatabase("db_" + databases.incrementAndGet());
  }

  @Override
  public Database createDatabase(String name) {
    try {
      database("postgres").execute("CREATE DATABASE \"" + name + "\"");
      return database(name);
    } catch (SQLException e) {
      throw new IllegalStateException("could not create database " + name, e);
    }
  }

  private Database database(String name) {
    return new Database(name, jdbcUrl(name), user(), password());
  }

  private void initialise(Map<String, String> settings) {
    ProcessUser.own(folder);
    try {
      Path password = Files.writeString(folder.resolve("password"), password());
      ProcessUser.own(password);
      int code =
          run(List.of(
                  "initdb",
                  "--pgdata=" + data,
                  "--username=" + SUPERUSER,
                  "--pwfile=" + password,
                  "--auth=scram-sha-256",
                  "--encoding=UTF8",
                  "--locale=C",
                  "--no-sync"))
              .awaitExit(PATIENCE);
      if (code != 0) {
        throw new IllegalStateException("initdb failed with " + code + ":\n" + readLog());
      }
      Files.writeString(
          data.resolve("postgresql.auto.conf"), configuration(settings), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String configuration(Map<String, String> settings) {
    StringBuilder lines = new StringBuilder("port = " + port + "\n");
    settings.forEach(
        (name, value) ->
            lines.append(name).append(" = '").append(value.replace("'", "''")).append("'\n"));
    return lines.toString();
  }

  private ServerProcess run(List<String> command) {
    List<String> program = new ArrayList<>(List.of(bin.resolve(command.get(0)).toString()));
    program.addAll(command.subList(1, command.size()));
    return ServerProcess.start(
        new ProcessBuilder(ProcessUser.command(program))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(log.toFile())));
  }

  private void awaitReady(ServerProcess started) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!isReady(started)) {
      if (!started.isAlive() || System.nanoTime() > deadline) {
        throw new IllegalStateException("PostgreSQL did not start; its log:\n" + readLog());
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MILLIS);
    }
  }

  /**
   * As pg_ctl finds out: the first line of postmaster.pid is the process, the eighth its state (see
   * miscadmin.h of PostgreSQL).
   */
  private boolean isReady(ServerProcess started) {
    try {
      List<String> lines = Files.readAllLines(data.resolve("postmaster.pid"));
      return lines.size() >= 8
          && lines.get(0).equals(Long.toString(started.pid()))
          && lines.get(7).startsWith("ready");
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void end(String signal) {
    if (process != null) {
      process.signal(signal);
      process.awaitExit(PATIENCE);
      process = null;
    }
  }

  private String readLog() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return "(" + log + " cannot be read: " + e + ")";
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
      PostgresServer server = new PostgresServer(this);
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
