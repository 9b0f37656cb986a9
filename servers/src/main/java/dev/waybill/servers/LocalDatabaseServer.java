package dev.waybill.servers;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/** What servers that run as a process of this machine have in common. */
abstract class LocalDatabaseServer implements DatabaseServer {

  final DatabaseProcess process;
  private final DatabaseProduct product;
  private final String stopSignal;
  private final int port;
  private final AtomicInteger databases = new AtomicInteger();

  /**
   * @param stopSignal what ends the server in its own orderly way
   */
  LocalDatabaseServer(
      DatabaseProduct product, DatabaseProcess process, String stopSignal, int port) {
    this.product = product;
    this.process = process;
    this.stopSignal = stopSignal;
    this.port = port;
  }

  @Override
  public final DatabaseProduct product() {
    return product;
  }

  @Override
  public final int port() {
    return port;
  }

  @Override
  public final Database createDatabase() {
    return createDatabase("db_" + databases.incrementAndGet());
  }

  @Override
  public final void stop() {
    process.end(stopSignal);
  }

  @Override
  public final void kill() {
    process.kill();
  }

  @Override
  public final boolean isRunning() {
    return process.isRunning();
  }

  @Override
  public final void close() {
    process.close();
  }

  /** The process that clients connect to. */
  public final long pid() {
    return process.pid();
  }

  /** The server's own log, in English. */
  public final Path log() {
    return process.log();
  }
}
