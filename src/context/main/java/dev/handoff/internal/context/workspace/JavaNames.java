package dev.handoff.internal.context.workspace;

import dev.handoff.internal.context.workspace.JavaTokens.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// References of a Java source: imports, types named in code and doc comments, files named in
/// strings.
final class JavaNames {

  private static final int MOST = 2_000;

  /// A simple type name may refer to the current package, except for these `java.lang` types.
  private static final Set<String> EVERYWHERE =
      Set.of(
          "String",
          "Object",
          "Integer",
          "Long",
          "Double",
          "Boolean",
          "Override",
          "Math",
          "System",
          "Exception",
          "Throwable",
          "Error",
          "Void",
          "Class",
          "Iterable",
          "Runnable",
          "Thread",
          "Character",
          "Byte",
          "Enum",
          "Record",
          "StringBuilder",
          "CharSequence",
          "Comparable",
          "Deprecated",
          "SuppressWarnings",
          "FunctionalInterface",
          "RuntimeException",
          "IllegalArgumentException",
          "IllegalStateException",
          "AutoCloseable",
          "Float",
          "Number",
          "InterruptedException",
          "AssertionError",
          "Short",
          "Process",
          "ProcessBuilder");

  private static final Pattern LINK =
      Pattern.compile("(?:\\[|\\{@link(?:plain)?\\s)([A-Za-z_][\\w.]{0,200}+)[#\\]\\s}]");
  private static final Pattern FILE =
      Pattern.compile("\"((?:[\\w.-]++/)*+[\\w-]++\\.[a-z]{1,5}+)\"");

  private final String text;
  private final JavaTokens tokens;
  private final JavaSource source;
  private final Set<String> imported = new HashSet<>();
  private final List<String> wholePackages = new ArrayList<>();
  private final Set<String> seen = new HashSet<>();
  private final Set<String> mentions = new TreeSet<>();

  JavaNames(String text, JavaTokens tokens, JavaSource source) {
    this.text = text;
    this.tokens = tokens;
    this.source = source;
  }

  Set<String> mentions() {
    readImports();
    for (int token = 0; token < tokens.size() && mentions.size() < MOST; token++) {
      switch (tokens.kind(token)) {
        case WORD -> readWord(token);
        case DOC -> readDoc(token);
        case LITERAL -> readLiteral(token);
        case SIGN -> {}
      }
    }
    return mentions;
  }

  private void readImports() {
    if (!source.packageName().isEmpty()) {
      wholePackages.add(source.packageName() + ".");
    }
    for (String name : source.imports()) {
      if (name.endsWith(".*")) {
        var all = name.substring(0, name.length() - 1);
        wholePackages.add(all);
        mentions.add(all.substring(0, all.length() - 1));
        continue;
      }
      mentions.add(name);
      int dot = name.lastIndexOf('.');
      imported.add(name.substring(dot + 1));
      // A nested type or static member also refers to the file of its outer type.
      int outer = name.lastIndexOf('.', dot - 1);
      if (outer > 0 && Character.isUpperCase(name.charAt(outer + 1))) {
        mentions.add(name.substring(0, dot));
      }
    }
  }

  private void readWord(int token) {
    if (tokens.isSign(token - 1, '.')) {
      return;
    }
    if (Character.isUpperCase(text.charAt(tokens.from(token)))) {
      if (seen.add(tokens.text(token))) {
        addType(tokens.text(token));
      }
    } else if (tokens.isSign(token + 1, '.')) {
      readQualified(token);
    }
  }

  /// Reads a qualified name such as `java.util.List`.
  private void readQualified(int first) {
    int last = first;
    while (tokens.isSign(last + 1, '.')
        && tokens.is(last + 2, Kind.WORD)
        && !Character.isUpperCase(text.charAt(tokens.from(last)))) {
      last += 2;
    }
    boolean named = Character.isUpperCase(text.charAt(tokens.from(last)));
    int length = tokens.to(last) - tokens.from(first);
    if (named && last >= first + 4 && length < 200) {
      mentions.add(tokens.text(first, last));
    }
  }

  private void addType(String name) {
    if (EVERYWHERE.contains(name)
        || imported.contains(name)
        || name.length() == 1
        || isConstant(name)) {
      return;
    }
    if (wholePackages.isEmpty()) {
      mentions.add(name);
    }
    for (var all : wholePackages) {
      if (mentions.size() >= MOST) {
        return;
      }
      mentions.add(all + name);
    }
  }

  private static boolean isConstant(String name) {
    return name.indexOf('_') > 0 || name.length() > 3 && name.equals(name.toUpperCase(Locale.ROOT));
  }

  private void readDoc(int token) {
    var comment = text.substring(tokens.from(token), tokens.to(token));
    LINK.matcher(comment)
        .results()
        .limit(MOST)
        .forEach(
            link -> {
              var name = link.group(1);
              if (name.indexOf('.') > 0 && Character.isLowerCase(name.charAt(0))) {
                mentions.add(name);
              } else if (Character.isUpperCase(name.charAt(0))) {
                int dot = name.indexOf('.');
                addType(dot < 0 ? name : name.substring(0, dot));
              }
            });
  }

  private void readLiteral(int token) {
    int length = tokens.to(token) - tokens.from(token);
    if (length >= 5 && length < 200) {
      var file = FILE.matcher(text).region(tokens.from(token), tokens.to(token));
      if (file.matches()) {
        mentions.add(file.group(1));
      }
    }
  }
}
