package dev.handoff.bench;

import java.util.HashMap;
import java.util.Map;

/// Arguments after the benchmark's name: `name=value` or `--name value` each, and `--quick` for a
/// run of seconds that checks promises but not speeds.
record BenchArguments(Map<String, String> values, boolean quick) {

  private static final String QUICK = "--quick";

  static BenchArguments of(String... words) {
    var values = new HashMap<String, String>();
    boolean quick = false;
    for (int i = 1; i < words.length; i++) {
      var parts = words[i].split("=", 2);
      if (words[i].equals(QUICK)) {
        quick = true;
      } else if (words[i].startsWith("--") && i + 1 < words.length) {
        values.put(words[i].substring(2), words[++i]);
      } else if (parts.length == 2) {
        values.put(parts[0], parts[1]);
      } else {
        throw new IllegalArgumentException(
            "\"" + words[i] + "\" is not of the form name=value or --name value");
      }
    }
    return new BenchArguments(values, quick);
  }

  /// @param quickly default with `--quick`
  int number(String name, int orElse, int quickly) {
    return values.containsKey(name) ? Integer.parseInt(values.get(name)) : quick ? quickly : orElse;
  }

  /// @param quickly default with `--quick`
  double decimal(String name, double orElse, double quickly) {
    return values.containsKey(name)
        ? Double.parseDouble(values.get(name))
        : quick ? quickly : orElse;
  }

  String word(String name, String orElse) {
    return values.getOrDefault(name, orElse);
  }
}
