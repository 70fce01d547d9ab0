package dev.handoff.testing;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/// Halts a JVM in which no test has started or finished for several minutes, and prints the stacks
/// of all threads. Otherwise a hanging test would end only with the time limit of the whole run,
/// and the log would not name it.
///
/// Every launcher creates an instance. All instances share one watcher thread, since a JVM runs one
/// test at a time.
public final class HangWatch implements TestExecutionListener {

  /// Exit code of a JVM that the watch halts.
  static final int EXIT_CODE = 75;

  /// System property with the limit in minutes. The watch is off without it.
  static final String MINUTES = "tests.hang.minutes";

  /// System property with the path of an additional report file, if set.
  static final String REPORT = "tests.hang.report";

  private static final int FRAMES = 30;

  /// Last test event, with its thread.
  private record Step(String what, Thread thread, long nanos) {}

  private static volatile Step last = step("no test has begun");

  static {
    if (System.getProperty(MINUTES) != null) {
      Thread.ofPlatform().daemon().name("hang-watch").start(HangWatch::watch);
    }
  }

  /// Limit, read at each check: a test can shorten it at run time.
  private static Duration longest() {
    return Duration.ofMinutes(Long.getLong(MINUTES, 5));
  }

  private static Step step(String what) {
    return new Step(what, Thread.currentThread(), System.nanoTime());
  }

  @Override
  public void executionStarted(TestIdentifier test) {
    last = step(name(test) + " had begun");
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    last = step(name(test) + " had ended");
  }

  private static String name(TestIdentifier test) {
    return test.getSource().map(source -> name(source) + " ").orElse("") + test.getDisplayName();
  }

  private static String name(TestSource source) {
    return switch (source) {
      case MethodSource method -> method.getClassName() + "." + method.getMethodName();
      case ClassSource type -> type.getClassName();
      default -> source.toString();
    };
  }

  private static void watch() {
    while (true) {
      long left = last.nanos() + longest().toNanos() - System.nanoTime();
      if (left <= 0) {
        try {
          tell(last);
        } finally {
          Runtime.getRuntime().halt(EXIT_CODE);
        }
      }
      LockSupport.parkNanos(Math.min(left, TimeUnit.MILLISECONDS.toNanos(200)));
    }
  }

  private static void tell(Step step) {
    var words =
        "a JVM was ended in which nothing had happened for %s since %s%n%s%n"
            .formatted(longest(), step.what(), stack(step.thread()));
    System.err.println(words);
    try {
      System.err.println(allThreads());
      var report = Optional.ofNullable(System.getProperty(REPORT)).map(Path::of);
      if (report.isPresent()) {
        Files.createDirectories(report.get().toAbsolutePath().getParent());
        Files.writeString(report.get(), words);
      }
    } catch (IOException unwritten) {
      System.err.println(unwritten);
    }
    System.err.flush();
  }

  private static String stack(Thread thread) {
    return Arrays.stream(thread.getStackTrace())
        .limit(FRAMES)
        .map(frame -> "      at " + frame)
        .collect(Collectors.joining(System.lineSeparator()));
  }

  /// Dump of all threads including virtual threads, which `Thread.getAllStackTraces` omits.
  private static String allThreads() throws IOException {
    var directory = Files.createTempDirectory("handoff-hang");
    var file = directory.resolve("threads.txt");
    try {
      ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
          .dumpThreads(file.toString(), ThreadDumpFormat.TEXT_PLAIN);
      return Files.readString(file);
    } finally {
      Files.deleteIfExists(file);
      Files.deleteIfExists(directory);
    }
  }
}
