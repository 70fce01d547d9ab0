package dev.handoff.internal.facade;

import dev.handoff.JobError;
import dev.handoff.JobHandler;
import dev.handoff.Json;
import dev.handoff.TypeOptions;
import java.util.Optional;

/// Handler of a job type, with its payload class and the default options of its jobs.
///
/// @param options options as the host has given them
/// @param defaults the same options, complete
/// @param <T> class of the payload
public record HandlerRegistration<T>(
    Class<T> payload, JobHandler<T> handler, TypeOptions options, TypeDefaults defaults) {

  public HandlerRegistration(Class<T> payload, JobHandler<T> handler, TypeOptions options) {
    this(payload, handler, options, TypeDefaults.of(options));
  }

  public HandlerRegistration(Class<T> payload, JobHandler<T> handler) {
    this(payload, handler, TypeOptions.NONE, TypeDefaults.NONE);
  }

  public HandlerRegistration<T> with(TypeOptions others) {
    return new HandlerRegistration<>(payload, handler, others);
  }

  /// Reason why the handler rejects a payload; empty if the handler accepts it or can only tell at
  /// run time.
  public Optional<String> misfit(Json written, JsonFormat json) {
    try {
      var read = json.payload(written, payload);
      if (handler instanceof JobHandler.Checking<T> checking) {
        checking.check(read);
        return Optional.empty();
      }
      return read == null && !takesNothing()
          ? Optional.of(PayloadMisfitException.missing(payload))
          : Optional.empty();
    } catch (PayloadMisfitException misfit) {
      return Optional.of(misfit.getMessage());
    } catch (OutOfMemoryError full) {
      throw full;
    } catch (Throwable wrong) {
      if (wrong instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      return Optional.of("payload: " + JobError.of(wrong).message());
    }
  }

  /// Payload classes that accept an absent payload. [Json] and similar classes need no entry: they
  /// read `null` as a value of their own.
  private boolean takesNothing() {
    return payload == Void.class || payload == Object.class || payload == Optional.class;
  }
}
