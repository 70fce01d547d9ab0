package dev.handoff;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.handoff.job.Json;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How payloads, results and checkpoints become JSON and back.
final class JsonFormat {

  private final ObjectMapper mapper;

  JsonFormat(ObjectMapper mapper) {
    this.mapper = mapper;
  }

  /// Times as ISO 8601, optionals as their values.
  static JsonFormat standard() {
    return new JsonFormat(
        JsonMapper.builder()
            .addModule(new JavaTimeModule())
            .addModule(new Jdk8Module())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
            .build());
  }

  /// @throws InvalidRequestException if the value cannot be written
  Json write(@Nullable Object value) {
    if (value instanceof Json json) {
      return json;
    }
    try {
      return value == null ? Json.NULL : Json.owned(mapper.writeValueAsBytes(value));
    } catch (JsonProcessingException e) {
      throw new InvalidRequestException(
          List.of(
              "a %s cannot be written as JSON: %s"
                  .formatted(value.getClass().getName(), e.getOriginalMessage())));
    }
  }

  /// @throws IOException if the JSON does not fit the type
  <T> T read(Json json, Class<T> type) throws IOException {
    return type == Json.class ? type.cast(json) : mapper.readValue(json.utf8(), type);
  }
}
