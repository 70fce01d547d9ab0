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

/// Ends a JVM in which no test has begun or ended for long, and says where all of its threads are.
/// Without it, a test that waits for ever would be stopped by the end of the whole run, and nobody
/// would know which one it was.
///
/// Every launcher makes one; they share a thread, for a JVM runs one test after another.
public final class HangWatch implements TestExecutionListener {

  /// What a JVM is ended with.
  static final int EXIT_CODE = 75;

  /// Nobody is watched where this is not set.
  static final String MINUTES = "tests.hang.minutes";

  /// Where it is said once more, if that is set.
  static final String REPORT = "tests.hang.report";

  private static final int FRAMES = 30;

  /// What a test did last.
  private record Step(String what, Thread thread, long nanos) {}

  private static volatile Step last = step("no test has begun");

  static {
    if (System.getProperty(MINUTES) != null) {
      Thread.ofPlatform().daemon().name("hang-watch").start(HangWatch::watch);
    }
  }

  /// A test may have it shorter.
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

  /// Virtual ones, too, of which a usual dump says nothing.
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
