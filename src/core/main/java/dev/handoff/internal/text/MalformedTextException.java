package dev.handoff.internal.text;

import java.io.IOException;

/// Thrown for text that cannot be read further. The message has the reason and the place.
public final class MalformedTextException extends IOException {

  MalformedTextException(String message) {
    super(message);
  }
}
