package dev.handoff.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

/// JSON as it is printed: indented, and with nothing in it that a terminal would obey.
final class JsonText {

  private static final ObjectMapper MAPPER =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private JsonText() {}

  static String of(JsonNode json) {
    try {
      return Plain.lines(MAPPER.writeValueAsString(json).replace("\r\n", "\n"));
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  static String error(String message, int exitCode) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("error", message)
        .put("exitCode", exitCode)
        .toString();
  }
}
