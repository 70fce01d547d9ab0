package dev.handoff.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.util.FileSize;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.LoggerFactory;

/// Configures the engine's log output, so that it never disturbs drawn lines.
final class LogSetup {

  private static final String SHORT = "handoff: %replace(%msg){'[\\p{Cntrl}]', ' '}%nopex%n";
  private static final String LONG =
      "%d{\"yyyy-MM-dd'T'HH:mm:ss.SSSXXX\"} %-5level %logger{24} %replace(%msg){'[\\p{Cntrl}&&[^\\n"
          + "\\t]]', ' '}%n%ex";

  /// The PostgreSQL driver logs errors that its exceptions already carry.
  private static final java.util.logging.Logger DRIVER =
      java.util.logging.Logger.getLogger("org.postgresql");

  private LogSetup() {}

  /// Loggers whose warnings are irrelevant for the user of a command: deferred maintenance, and
  /// problems that the command reports itself.
  private static final List<String> UPKEEP =
      List.of(
          "dev.handoff.internal.engine.HistoryRetention",
          "dev.handoff.internal.ledger",
          "dev.handoff.internal.store.postgres.PostgresHold");

  /// Logs to standard error: warnings of Handoff as single lines, and errors of other libraries.
  static void toStandardError(PrintStream err) {
    DRIVER.setLevel(java.util.logging.Level.OFF);
    var context = fresh();
    var appender = new OutputStreamAppender<ILoggingEvent>();
    appender.setContext(context);
    appender.setEncoder(encoder(context, SHORT));
    appender.setOutputStream(new Unclosed(err));
    appender.start();
    var root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.ERROR);
    root.addAppender(appender);
    context.getLogger("dev.handoff").setLevel(Level.WARN);
    UPKEEP.forEach(name -> context.getLogger(name).setLevel(Level.ERROR));
    // The run itself reports an absent store and failed jobs.
    context.getLogger("com.zaxxer.hikari").setLevel(Level.OFF);
    context.getLogger("dev.handoff.failures").setLevel(Level.OFF);
    context.getLogger("dev.handoff.internal.store.StoreThread").setLevel(Level.OFF);
  }

  /// Suppresses messages about an absent store, because [StoreWatch] reports it.
  static void withoutStore() {
    ((LoggerContext) LoggerFactory.getILoggerFactory())
        .getLogger("dev.handoff.internal.engine.Engine")
        .setLevel(Level.ERROR);
  }

  /// Logs to a file from level INFO or `HANDOFF_LOG`. The file is limited to 10 MB; one older file
  /// is kept.
  static void toFile(Path file) {
    var context = fresh();
    var appender = new RollingFileAppender<ILoggingEvent>();
    appender.setContext(context);
    appender.setEncoder(encoder(context, LONG));
    appender.setFile(file.toString());
    var rolling = new FixedWindowRollingPolicy();
    rolling.setContext(context);
    rolling.setParent(appender);
    rolling.setMinIndex(1);
    rolling.setMaxIndex(1);
    rolling.setFileNamePattern(escaped(file) + ".%i");
    rolling.start();
    var size = new SizeBasedTriggeringPolicy<ILoggingEvent>();
    size.setContext(context);
    size.setMaxFileSize(FileSize.valueOf("10MB"));
    size.start();
    appender.setRollingPolicy(rolling);
    appender.setTriggeringPolicy(size);
    appender.start();
    var root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.INFO);
    root.addAppender(appender);
    context
        .getLogger("dev.handoff")
        .setLevel(Level.toLevel(System.getenv("HANDOFF_LOG"), Level.INFO));
  }

  private static LoggerContext fresh() {
    var context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.reset();
    return context;
  }

  private static PatternLayoutEncoder encoder(LoggerContext context, String pattern) {
    var encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setCharset(StandardCharsets.UTF_8);
    encoder.setPattern(pattern);
    encoder.start();
    return encoder;
  }

  /// Escapes `%` in a directory name, which is special in file name patterns.
  private static String escaped(Path file) {
    return file.toString().replace("%", "\\%");
  }

  /// Stream that ignores `close`, because an appender closes its stream.
  private static final class Unclosed extends FilterOutputStream {
    Unclosed(OutputStream out) {
      super(out);
    }

    @Override
    public void close() throws IOException {
      flush();
    }
  }
}
