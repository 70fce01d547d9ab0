package dev.handoff.internal.facade;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.handoff.InvalidRequestException;
import dev.handoff.JobError;
import dev.handoff.Json;
import dev.handoff.internal.text.StrictParser;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Conversion of payloads, results and checkpoints to and from JSON. JSON has at most 256 KiB, and
/// the rules are the same for every store.
public final class JsonFormat {

  public static final int MOST = 256 * 1024;

  private final ObjectMapper mapper;

  public JsonFormat(ObjectMapper mapper) {
    this.mapper = mapper;
  }

  /// Default format: times in ISO 8601, optionals as their values. Map keys are sorted, so equal
  /// values give equal JSON in every process.
  public static JsonFormat standard() {
    return new JsonFormat(
        JsonMapper.builder()
            .addModule(new JavaTimeModule())
            .addModule(new Jdk8Module())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .build());
  }

  /// Writes a value as JSON; a [Json] is taken as it is.
  ///
  /// @param what name of the value for messages, such as `payload`
  /// @throws InvalidRequestException if the value cannot be written, is not JSON, or is too large
  public Json write(String what, @Nullable Object value) {
    return switch (value) {
      case null -> Json.NULL;
      case Json json -> json == Json.NULL ? json : checked(what, json);
      case Object other -> written(what, other);
    };
  }

  private static Json checked(String what, Json json) {
    if (json.size() > MOST) {
      throw tooLarge(what);
    }
    try {
      StrictParser.check(json);
      return json;
    } catch (IOException malformed) {
      throw new InvalidRequestException(
          List.of("%s is not JSON: %s".formatted(what, malformed.getMessage())));
    }
  }

  /// Runs host code: an exception of it concerns only this request. An `OutOfMemoryError` concerns
  /// the whole JVM and is rethrown.
  private Json written(String what, Object value) {
    var out = new Bounded();
    try {
      mapper.writeValue(out, value);
      return out.hasEscapes() ? checked(what, out.json()) : out.json();
    } catch (InvalidRequestException | OutOfMemoryError e) {
      throw e;
    } catch (Throwable e) {
      throw out.full ? tooLarge(what) : unwritable(what, value, e);
    }
  }

  private static InvalidRequestException unwritable(String what, Object value, Throwable failure) {
    var error = JobError.of(failure);
    var reason =
        failure instanceof JsonProcessingException json
            ? json.getOriginalMessage()
            : error.type() + ": " + error.message();
    return new InvalidRequestException(
        List.of(
            "%s cannot be written as JSON, a %s: %s"
                .formatted(what, value.getClass().getName(), reason)));
  }

  private static InvalidRequestException tooLarge(String what) {
    return new InvalidRequestException(List.of(tooLargeText(what)));
  }

  /// Problem of a value with more than [#MOST] bytes.
  static String tooLargeText(String what) {
    return "%s is larger than %d bytes: store it elsewhere and hand over its name"
        .formatted(what, MOST);
  }

  /// @throws IOException if the JSON does not fit the type
  public <T> T read(Json json, Class<T> type) throws IOException {
    return type == Json.class ? type.cast(json) : mapper.readValue(json.utf8(), type);
  }

  /// Reads the payload of a job for a handler.
  ///
  /// @throws PayloadMisfitException naming the place that does not fit the type
  public <T> T payload(Json written, Class<T> type) throws IOException {
    try {
      return read(written, type);
    } catch (JsonMappingException misfit) {
      throw new PayloadMisfitException(misfit);
    }
  }

  /// Reads the checkpoint of an earlier attempt.
  public <T> T checkpoint(Json kept, Class<T> type) {
    try {
      return read(kept, type);
    } catch (IOException e) {
      throw new UncheckedIOException("the checkpoint cannot be read as " + type.getName(), e);
    }
  }

  /// Reads the result of a step; empty for a null result.
  public <T> Optional<T> result(String step, Json kept, Class<T> type) {
    try {
      return Optional.ofNullable(read(kept, type));
    } catch (IOException e) {
      throw new UncheckedIOException(
          "the result of step \"%s\" cannot be read as %s".formatted(step, type.getName()), e);
    }
  }

  /// Output stream with a size limit, which also stops endless output.
  private static final class Bounded extends OutputStream {

    private byte[] bytes = new byte[512];
    private int size;
    private boolean full;

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] from, int offset, int count) throws IOException {
      if (count > MOST - size) {
        full = true;
        throw new IOException("full");
      }
      if (size + count > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.max(size + count, Math.min(MOST, bytes.length * 2)));
      }
      System.arraycopy(from, offset, bytes, size, count);
      size += count;
    }

    /// Whether the JSON contains a `\\u` escape: only an escape can produce text that stores
    /// refuse, such as NUL.
    boolean hasEscapes() {
      for (int i = 1; i < size; i++) {
        if (bytes[i] == 'u' && bytes[i - 1] == '\\') {
          return true;
        }
      }
      return false;
    }

    Json json() {
      return Json.owned(Arrays.copyOf(bytes, size));
    }
  }
}
