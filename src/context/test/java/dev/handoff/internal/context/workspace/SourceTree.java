package dev.handoff.internal.context.workspace;

import java.nio.file.Path;
import java.util.Random;

/// Random tree of source-like files that refer to each other, determined by a seed.
final class SourceTree {

  private static final String[] WORDS = {
    "claim", "job", "lease", "worker", "queue", "index", "cancel", "token", "store", "batch",
    "write", "fact", "plan", "merge", "change", "pool", "credit", "state", "timer", "open",
    "close", "read", "log", "event", "node", "hash", "path", "file", "text", "search"
  };
  private static final int PACKAGES = 50;

  private final Random random;
  private final int files;

  private SourceTree(long seed, int files) {
    this.random = new Random(seed);
    this.files = files;
  }

  /// Creates files of two to four KiB each.
  static void make(Path root, int files, long seed) {
    var tree = new SourceTree(seed, files);
    for (int number = 0; number < files; number++) {
      IndexViews.write(root, path(number), tree.text(number));
    }
  }

  static String path(int number) {
    return "p%d/Type%d.java".formatted(number % PACKAGES, number);
  }

  private String text(int number) {
    var text = new StringBuilder("package p%d;\n\n".formatted(number % PACKAGES));
    for (int other : new int[] {(number + 1) % files, (number + 7) % files}) {
      text.append("import p%d.Type%d;\n".formatted(other % PACKAGES, other));
    }
    text.append(
        "\n/// A %s of every %s.\npublic final class Type%d {\n".formatted(word(), word(), number));
    int size = 2_048 + random.nextInt(2_048);
    while (text.length() < size) {
      text.append("\n  /// The ").append(word()).append(" of a ").append(word()).append(".\n");
      text.append("  public int ").append(word()).append(random.nextInt(100)).append("(String ");
      text.append(word()).append(") {\n    return Type").append((number + 1) % files);
      text.append('.').append(word()).append("(").append(word()).append(");\n  }\n");
    }
    return text.append("}\n").toString();
  }

  private String word() {
    return WORDS[random.nextInt(WORDS.length)];
  }
}
