package dev.handoff.handlers;

import dev.handoff.NonRetryableException;

/// Host that the settings forbid. A retry cannot succeed, so the failure is not retryable.
final class RefusedHostException extends NonRetryableException {

  RefusedHostException(String message) {
    super(message, null, false);
  }
}
