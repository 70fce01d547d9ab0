package dev.handoff.internal.plan.apply;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The reason of a failure")
class FailureTextTest {

  @Test
  void isSaidInWords() {
    assertThat(FailureText.of(new AccessDeniedException("n1")))
        .isEqualTo("this user may not do that");
    assertThat(FailureText.of(new NoSuchFileException("n1"))).isEqualTo("\"n1\" is gone");
    assertThat(FailureText.of(new FileAlreadyExistsException("n1")))
        .isEqualTo("\"n1\" is already there");
    assertThat(
            FailureText.of(new AtomicMoveNotSupportedException("a", "b", "Invalid cross-device")))
        .startsWith("it is on another file system than the directory");
    assertThat(FailureText.of(new FileSystemException("n1", null, "Read-only file system")))
        .isEqualTo("Read-only file system");
    assertThat(FailureText.of(new IOException("its checksum does not fit")))
        .isEqualTo("its checksum does not fit");
    assertThat(FailureText.of(new IOException())).isEqualTo("java.io.IOException");
  }
}
