package dev.handoff.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

/// JSON output: indented, without terminal control characters.
final class JsonText {

  private JsonText() {}

  static String of(JsonNode json) {
    return TerminalText.lines(json.toPrettyString().replace("\r\n", "\n"));
  }

  static String error(String message, int exitCode) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("error", message)
        .put("exitCode", exitCode)
        .toString();
  }
}
