package dev.handoff.bench;

import dev.handoff.Handoff;
import dev.handoff.context.ContextRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/// Measures the indexing rate of a new directory and the latency of a context.
final class ContextSpeed {

  private static final int PACKAGES = 50;

  private static final String[] WORDS =
      ("order invoice customer shipment payment refund stock price basket catalogue address carrier"
              + " voucher discount tax currency account ledger balance statement reminder contract"
              + " warehouse shelf parcel label route driver schedule shift holiday salary pension")
          .split(" ");
  private static final String[] VERBS =
      "open close send receive count check cancel find store load merge split print retry"
          .split(" ");

  private final Handoff handoff;
  private final int files;

  private final int warmUps;
  private final int requests;

  ContextSpeed(Handoff handoff, int files, boolean quick) {
    this.warmUps = quick ? 0 : 2;
    this.requests = quick ? 20 : 300;
    this.handoff = handoff;
    this.files = files;
  }

  Map<String, Object> run() throws IOException {
    var home = Files.createTempDirectory("handoff-made");
    try {
      return run(home);
    } finally {
      ContextBench.delete(home);
    }
  }

  private Map<String, Object> run(Path home) throws IOException {
    double rate = 0;
    var root = home;
    for (int round = 0; round <= warmUps; round++) {
      root = made(home.resolve("round" + round), round);
      long began = System.nanoTime();
      assemble(root, "where is an invoice sent");
      rate = files / ((System.nanoTime() - began) / 1e9);
      System.out.printf(
          Locale.ROOT,
          "%s%,d files indexed, %,.0f a second, the first context included%n",
          round == 0 ? "\n" : "",
          files,
          rate);
    }
    var millis = new double[requests];
    var random = new Random(1);
    for (int request = -requests / 3; request < requests; request++) {
      var words =
          "how does the "
              + any(WORDS, random)
              + " "
              + any(VERBS, random)
              + " a "
              + any(WORDS, random);
      long began = System.nanoTime();
      assemble(root, words);
      if (request >= 0) {
        millis[request] = (System.nanoTime() - began) / 1e6;
      }
    }
    Arrays.sort(millis);
    double p50 = millis[requests / 2];
    double p99 = millis[requests * 99 / 100];
    System.out.printf(
        Locale.ROOT, "a context of the three strategies: p50 %.1f ms, p99 %.1f ms%n", p50, p99);
    var json = new LinkedHashMap<String, Object>();
    json.put("filesPerSecond", Math.round(rate));
    json.put("contextP50Millis", p50);
    json.put("contextP99Millis", p99);
    return json;
  }

  private void assemble(Path root, String words) {
    handoff.assemble(ContextRequest.of(words, root)).toCompletableFuture().join().orThrow();
  }

  private Path made(Path root, int round) throws IOException {
    var random = new Random(round);
    for (int number = 0; number < files; number++) {
      var name = "Part" + number;
      var home = "made.p" + number % PACKAGES;
      var file = root.resolve("src").resolve(home.replace('.', '/')).resolve(name + ".java");
      Files.createDirectories(file.getParent());
      Files.writeString(file, source(home, name, random));
    }
    return root;
  }

  private String source(String home, String name, Random random) {
    var text = new StringBuilder("package %s;\n\nimport java.util.List;\n".formatted(home));
    text.append(
        "import made.p%d.Part%d;\n\n".formatted(random.nextInt(PACKAGES), random.nextInt(files)));
    text.append(
        "/// %s the %s of a %s.\npublic final class %s {\n"
            .formatted(any(VERBS, random), any(WORDS, random), any(WORDS, random), name));
    for (int method = 0; method < 8; method++) {
      var verb = any(VERBS, random);
      var noun = any(WORDS, random);
      text.append(
          "\n  /// To %s what the %s needs.\n  public int %s%s(List<String> %s) {\n"
              .formatted(
                  verb,
                  noun,
                  verb,
                  noun.substring(0, 1).toUpperCase(Locale.ROOT) + noun.substring(1),
                  noun));
      text.append(
          "    int %s = %s.size();\n    return %s + %d;\n  }\n"
              .formatted(any(WORDS, random), noun, noun, random.nextInt(9)));
    }
    return text.append("}\n").toString();
  }

  private static String any(String[] words, Random random) {
    return words[random.nextInt(words.length)];
  }
}
