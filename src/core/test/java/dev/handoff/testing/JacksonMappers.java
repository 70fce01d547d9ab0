package dev.handoff.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import com.fasterxml.jackson.module.paramnames.ParameterNamesModule;
import java.io.IOException;
import java.io.UncheckedIOException;

/// JSON mappers of a typical service: Jackson 2 and 3 with their usual modules, without any module
/// of Handoff.
public enum JacksonMappers {
  JACKSON_2 {
    private final JsonMapper mapper =
        JsonMapper.builder()
            .addModule(new Jdk8Module())
            .addModule(new JavaTimeModule())
            .addModule(new ParameterNamesModule())
            .build();

    @Override
    public String write(Object value) {
      try {
        return mapper.writeValueAsString(value);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public <T> T read(String json, Class<T> type) {
      try {
        return mapper.readValue(json, type);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public String writeByTree(Object value) {
      return mapper.valueToTree(value).toString();
    }
  },
  JACKSON_3 {
    private final tools.jackson.databind.json.JsonMapper mapper =
        tools.jackson.databind.json.JsonMapper.builder().build();

    @Override
    public String write(Object value) {
      return mapper.writeValueAsString(value);
    }

    @Override
    public <T> T read(String json, Class<T> type) {
      return mapper.readValue(json, type);
    }

    @Override
    public String writeByTree(Object value) {
      return mapper.valueToTree(value).toString();
    }
  };

  /// Parses a document for comparison.
  public static JsonNode tree(String json) {
    return JACKSON_2.read(json, JsonNode.class);
  }

  public abstract String write(Object value);

  /// Writes a value by way of a JSON tree.
  public abstract String writeByTree(Object value);

  public abstract <T> T read(String json, Class<T> type);
}
