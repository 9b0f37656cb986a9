package dev.waybill.engine;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What engines log while this is open. */
final class EngineLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {

  private final Logger logger = (Logger) LoggerFactory.getLogger(OutboxEngine.class);
  private final List<String> lines = new CopyOnWriteArrayList<>();

  static EngineLog listen() {
    EngineLog log = new EngineLog();
    log.start();
    log.logger.addAppender(log);
    return log;
  }

  List<String> linesWith(String text) {
    return lines.stream().filter(line -> line.contains(text)).toList();
  }

  @Override
  protected void append(ILoggingEvent event) {
    lines.add(event.getFormattedMessage());
  }

  @Override
  public void close() {
    logger.detachAppender(this);
    stop();
  }
}
