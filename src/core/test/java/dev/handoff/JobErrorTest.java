package dev.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The error of an attempt")
class JobErrorTest {

  @Test
  void hasTheClassTheMessageAndTheStackOfAThrowable() {
    var error = JobError.of(new IllegalStateException("no route", new RuntimeException("why")));

    assertThat(error.type()).isEqualTo("java.lang.IllegalStateException");
    assertThat(error.message()).isEqualTo("no route");
    assertThat(error.stack()).contains("JobErrorTest").contains("Caused by").contains("why");
  }

  @Test
  void isThatOfTheCauseWhereAStageHasFailed() {
    var cause = new IllegalStateException("no route");
    var error = JobError.of(new CompletionException(new ExecutionException("outer", cause)));

    assertThat(error.type()).isEqualTo("java.lang.IllegalStateException");
    assertThat(error.message()).isEqualTo("no route");
    assertThat(error.stack())
        .startsWith("java.util.concurrent.CompletionException")
        .contains("Caused by: java.lang.IllegalStateException: no route");
  }

  @Test
  void isMadeOfAnyThrowable() {
    var throwables =
        List.of(
            new StackOverflowError(),
            new NoClassDefFoundError("x"),
            new OutOfMemoryError("Java heap space"),
            new CompletionException(null),
            new Silent(),
            new Broken(),
            new Unprintable(),
            new Frameless(),
            new Exception("cyclic"));

    assertThat(throwables)
        .allSatisfy(
            throwable -> {
              var error = JobError.of(throwable);
              assertThat(error.type()).isEqualTo(throwable.getClass().getName());
              assertThat(error.stack()).isNotBlank();
            });
  }

  @Test
  void saysThatTheMessageCannotBeRead() {
    var error = JobError.of(new Broken());

    assertThat(error.message())
        .isEqualTo("(its message cannot be read: java.lang.StackOverflowError)");
    assertThat(error.stack()).contains("JobErrorTest");
  }

  @Test
  void saysThatTheStackCannotBeRead() {
    assertThat(JobError.of(new Unprintable()).stack()).contains("its stack trace cannot be read");
  }

  @Test
  void survivesCausesThatGoInCircles() {
    var one = new Exception("one");
    var two = new Exception("two", one);
    one.initCause(two);

    assertThat(JobError.of(one).stack()).contains("CIRCULAR REFERENCE");
  }

  @Test
  void survivesCausesWithoutEnd() {
    Throwable deep = new Exception("0");
    for (int i = 1; i < 50_000; i++) {
      deep = new Exception("" + i, deep);
    }

    assertThat(JobError.of(deep).message()).isEqualTo("49999");
    assertThat(JobError.of(deep).stack()).contains("JobErrorTest");
  }

  @Test
  void keepsNoMoreOfAStackThatHardlyEndsThanIsStored() {
    var part = "x".repeat(1 << 20).toCharArray();
    var endless =
        new Exception("long") {
          @Override
          public void printStackTrace(PrintWriter out) {
            for (int i = 0; i < 3_000; i++) {
              out.write(part, 0, part.length);
            }
          }
        };

    assertThat(JobError.of(endless).stack()).hasSize(JobError.MAX_STACK).startsWith("xxx");
  }

  @Test
  void isCutToSize() {
    var error = JobError.of(new Exception("m".repeat(10 * 1024 * 1024)));

    assertThat(error.message()).hasSize(JobError.MAX_MESSAGE).endsWith("… (cut)");
    assertThat(error.stack()).hasSize(JobError.MAX_STACK).endsWith("… (cut)");
  }

  @Test
  void canBeStoredWhateverTheHandlerSaid() {
    var error = JobError.of("x\0y", "lone \uD800 surrogate");

    assertThat(error.type()).isEqualTo("x\uFFFDy");
    assertThat(error.message()).isEqualTo("lone \uFFFD surrogate");
    assertThat(error.stack()).isEmpty();
  }

  private static final class Silent extends RuntimeException {
    @Override
    public String getMessage() {
      return null;
    }
  }

  private static final class Broken extends RuntimeException {
    @Override
    public String getMessage() {
      throw new StackOverflowError();
    }
  }

  private static final class Unprintable extends RuntimeException {
    @Override
    public void printStackTrace(PrintWriter to) {
      throw new IllegalStateException("no");
    }

    @Override
    public StackTraceElement[] getStackTrace() {
      throw new IllegalStateException("no");
    }
  }

  private static final class Frameless extends RuntimeException {
    Frameless() {
      super("nothing", null, false, false);
    }
  }
}
