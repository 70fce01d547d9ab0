package dev.handoff.handlers;

import dev.handoff.NonRetryableException;

/// A host that may not be asked. The settings say so, and a second try changes nothing about them.
final class RefusedHostException extends NonRetryableException {

  RefusedHostException(String message) {
    super(message, null, false);
  }
}
