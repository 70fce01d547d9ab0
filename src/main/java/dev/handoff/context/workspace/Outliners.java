package dev.handoff.context.workspace;

import dev.handoff.context.Depth;
import java.util.Set;
import java.util.function.Function;

/// The outlines of files of all kinds.
final class Outliners {

  static final String VERSION = "1";

  private Outliners() {}

  static Outline of(String path, String text) {
    return new Plain(path, text);
  }

  private record Plain(String path, String text) implements Outline {
    @Override
    public Set<String> defines() {
      return Set.of();
    }

    @Override
    public Set<String> mentions() {
      return Set.of();
    }

    @Override
    public String at(Depth depth, Set<String> terms, Function<String, Set<String>> analysis) {
      return depth == Depth.NAME ? path : text;
    }
  }
}
