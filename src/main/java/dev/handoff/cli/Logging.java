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

/// Where the engine's log goes: never onto a line that is being drawn.
final class Logging {

  private static final String SHORT = "handoff: %replace(%msg){'[\\p{Cntrl}]', ' '}%nopex%n";
  private static final String LONG =
      "%d{\"yyyy-MM-dd'T'HH:mm:ss.SSSXXX\"} %-5level %logger{24} %replace(%msg){'[\\p{Cntrl}&&[^\\n"
          + "\\t]]', ' '}%n%ex";

  /// The driver of the database says the same as its exceptions, and elsewhere.
  private static final java.util.logging.Logger DRIVER =
      java.util.logging.Logger.getLogger("org.postgresql");

  private Logging() {}

  /// Loggers whose warnings are no news for whoever runs a command: upkeep that is made up for
  /// later, and what the answer of the command says anyway.
  private static final List<String> UPKEEP =
      List.of(
          "dev.handoff.engine.Retention", "dev.handoff.ledger", "dev.handoff.store.PostgresHold");

  /// Warnings of our own, a line each, and errors of others.
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
    context.getLogger("dev.handoff.store.LaneThread").setLevel(Level.OFF);
  }

  /// [StoreWatch] reports that the store is away.
  static void withoutStore() {
    ((LoggerContext) LoggerFactory.getILoggerFactory())
        .getLogger("dev.handoff.engine.Engine")
        .setLevel(Level.ERROR);
  }

  /// Everything from INFO on, or from what `HANDOFF_LOG` says, into a file of at most 10 MB; the
  /// one before it is kept.
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

  /// A percent sign in the name of a directory is none of a pattern.
  private static String escaped(Path file) {
    return file.toString().replace("%", "\\%");
  }

  /// A stream that outlives its appender, which closes what it writes to.
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
