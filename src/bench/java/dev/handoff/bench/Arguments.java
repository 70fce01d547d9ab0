package dev.handoff.bench;

import java.util.HashMap;
import java.util.Map;

/// What was asked for behind the name of a measurement: `name=value` each.
record Arguments(Map<String, String> values) {

  static Arguments of(String... words) {
    var values = new HashMap<String, String>();
    for (int i = 1; i < words.length; i++) {
      var parts = words[i].split("=", 2);
      if (parts.length != 2) {
        throw new IllegalArgumentException("\"" + words[i] + "\" is not of the form name=value");
      }
      values.put(parts[0], parts[1]);
    }
    return new Arguments(values);
  }

  int number(String name, int orElse) {
    return values.containsKey(name) ? Integer.parseInt(values.get(name)) : orElse;
  }
}
