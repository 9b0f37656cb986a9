package dev.waybill.consumer;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What consumers of this JVM warn about from now on. */
final class ConsumerLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {

  private final Logger logger = (Logger) LoggerFactory.getLogger(EventConsumer.class);
  private final List<String> warnings = new CopyOnWriteArrayList<>();

  static ConsumerLog open() {
    ConsumerLog log = new ConsumerLog();
    log.start();
    log.logger.addAppender(log);
    return log;
  }

  List<String> warnings() {
    return warnings;
  }

  @Override
  protected void append(ILoggingEvent event) {
    if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
      warnings.add(event.getFormattedMessage());
    }
  }

  @Override
  public void close() {
    logger.detachAppender(this);
    stop();
  }
}
