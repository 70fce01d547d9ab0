package dev.handoff.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

/// JSON as it is printed: indented, and with nothing in it that a terminal would obey.
final class JsonText {

  private JsonText() {}

  static String of(JsonNode json) {
    return Plain.lines(json.toPrettyString().replace("\r\n", "\n"));
  }

  static String error(String message, int exitCode) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("error", message)
        .put("exitCode", exitCode)
        .toString();
  }
}
