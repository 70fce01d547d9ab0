package dev.handoff.internal.context.workspace;

import dev.handoff.internal.context.workspace.JavaTokens.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Declarations of a Java source, found by its brackets. Incomplete or invalid source yields the
/// recognisable declarations. The parser is linear and not recursive, so no input can slow it down
/// or overflow the stack.
final class JavaSource {

  private static final int MOST_SECTIONS = 2_000;
  private static final int MOST_LEVELS = 20;
  private static final int MOST_SIGNATURE = 300;

  private record Type(String name, boolean isHidden) {}

  private final String text;
  private final JavaTokens tokens;
  private final List<OutlineSection> sections = new ArrayList<>();
  private final Set<String> defines = new TreeSet<>();
  private final Set<String> imports = new LinkedHashSet<>();
  private final Deque<Type> open = new ArrayDeque<>();
  private String packageName = "";
  private String says = "";
  private int doc = -1;
  private int at;

  JavaSource(String text, JavaTokens tokens) {
    this.text = text;
    this.tokens = tokens;
    while (at < tokens.size()) {
      step();
    }
  }

  List<OutlineSection> sections() {
    return sections;
  }

  String packageName() {
    return packageName;
  }

  /// First doc sentence of the first type, otherwise of the package.
  String says() {
    return says;
  }

  Set<String> defines() {
    return defines;
  }

  /// Imported names without `static`; a wildcard import ends with `.*`.
  Set<String> imports() {
    return imports;
  }

  private void step() {
    if (tokens.is(at, Kind.DOC)) {
      doc = at++;
    } else if (tokens.isSign(at, ';')) {
      at++;
    } else if (tokens.isSign(at, '}')) {
      close();
    } else if (open.isEmpty() && tokens.isWord(at, "package")) {
      readPackage();
    } else if (open.isEmpty() && tokens.isWord(at, "import")) {
      at++;
      imports.add(statement());
    } else {
      declaration();
      doc = -1;
    }
  }

  private void close() {
    at++;
    doc = -1;
    if (!open.isEmpty()) {
      open.pop();
      add(OutlineSection.line(indent() + "}"));
    }
  }

  private void readPackage() {
    at++;
    packageName = FirstSentence.line(statement(), MOST_SIGNATURE);
    if (doc >= 0) {
      says = sentence();
      add(new OutlineSection("/// " + says, tokens.from(doc), tokens.to(doc)));
      doc = -1;
    }
  }

  /// Tokens up to a semicolon, joined, without `static`.
  private String statement() {
    var words = new StringBuilder();
    while (at < tokens.size() && !tokens.isSign(at, ';') && words.length() < MOST_SIGNATURE) {
      if (!tokens.isWord(at, "static")) {
        words.append(tokens.text(at));
      }
      at++;
    }
    return words.toString();
  }

  private void declaration() {
    int first = at;
    skipAnnotations();
    if (open.isEmpty() && tokens.isWord(at, "package")) {
      readPackage();
      return;
    }
    int head = at;
    int depth = 0;
    int name = -1;
    boolean parameters = false;
    for (; at < tokens.size() && !tokens.isSign(at, ';'); at++) {
      if (tokens.isSign(at, '(') || tokens.isSign(at, '[')) {
        parameters = true;
        depth++;
      } else if (tokens.isSign(at, ')') || tokens.isSign(at, ']')) {
        depth = Math.max(0, depth - 1);
      } else if (tokens.isSign(at, '{')) {
        if (depth == 0) {
          body(first, head, name);
          return;
        }
        skipBlock();
        at--;
      } else if (depth == 0 && tokens.isSign(at, '}')) {
        break;
      } else if (depth == 0 && tokens.isSign(at, '=')) {
        field(first, head);
        return;
      } else if (depth == 0 && isAnnotation()) {
        skipAnnotations();
        at--;
      } else if (depth == 0 && name < 0 && !parameters && isTypeWord(at)) {
        name = at + 1;
      }
    }
    member(first, head, at);
  }

  private boolean isTypeWord(int word) {
    if (!tokens.is(word, Kind.WORD) || !tokens.is(word + 1, Kind.WORD)) {
      return false;
    }
    return tokens.isWord(word, "class")
        || tokens.isWord(word, "interface")
        || tokens.isWord(word, "enum")
        || tokens.isWord(word, "record")
            && (tokens.isSign(word + 2, '(') || tokens.isSign(word + 2, '<'));
  }

  private void skipAnnotations() {
    while (isAnnotation()) {
      at = Math.min(at + 2, tokens.size());
      while (tokens.isSign(at, '.') && tokens.is(at + 1, Kind.WORD)) {
        at += 2;
      }
      if (tokens.isSign(at, '(')) {
        skipParentheses();
      }
    }
  }

  private boolean isAnnotation() {
    return tokens.isSign(at, '@') && !tokens.isWord(at + 1, "interface");
  }

  private void skipParentheses() {
    int depth = 0;
    for (; at < tokens.size(); at++) {
      if (tokens.isSign(at, '(')) {
        depth++;
      } else if (tokens.isSign(at, ')') && --depth == 0) {
        at++;
        return;
      } else if (tokens.isSign(at, '{')) {
        skipBlock();
        at--;
      } else if (tokens.isSign(at, ';') || tokens.isSign(at, '}')) {
        return;
      }
    }
  }

  private void skipBlock() {
    int depth = 0;
    for (; at < tokens.size(); at++) {
      if (tokens.isSign(at, '{')) {
        depth++;
      } else if (tokens.isSign(at, '}') && --depth == 0) {
        at++;
        return;
      }
    }
  }

  private void body(int first, int head, int name) {
    int end = at;
    if (name < 0 || open.size() == MOST_LEVELS) {
      skipBlock();
      boolean isInitializer = end == head || end == head + 1 && tokens.isWord(head, "static");
      if (!isInitializer) {
        addMember(first, signature(head, end) + (name < 0 ? ";" : " {}"), at);
      }
      return;
    }
    boolean isEnum = tokens.isWord(name - 1, "enum");
    boolean hidden = isHidden(head, name);
    var word = FirstSentence.cut(tokens.text(name), MOST_SIGNATURE);
    type(word, hidden);
    at++;
    addMember(first, signature(head, end) + " {", at);
    open.push(new Type(word, hidden));
    doc = -1;
    if (isEnum) {
      constants();
    }
  }

  private boolean isHidden(int head, int name) {
    for (int word = head; word < name; word++) {
      if (tokens.isWord(word, "private")) {
        return true;
      }
    }
    return false;
  }

  private void type(String name, boolean hidden) {
    if (doc >= 0 && open.isEmpty() && (says.isEmpty() || defines.isEmpty())) {
      says = sentence();
    }
    if (hidden || open.stream().anyMatch(Type::isHidden)) {
      return;
    }
    var nested = new StringBuilder();
    open.descendingIterator().forEachRemaining(outer -> nested.append(outer.name()).append('.'));
    nested.append(name);
    defines.add(nested.toString());
    defines.add(packageName.isEmpty() ? nested.toString() : packageName + "." + nested);
  }

  private void constants() {
    while (at < tokens.size() && !tokens.isSign(at, '}')) {
      if (tokens.isSign(at, ';')) {
        at++;
        return;
      }
      if (tokens.is(at, Kind.DOC)) {
        doc = at++;
      } else if (tokens.isSign(at, '@')) {
        skipAnnotations();
      } else if (tokens.is(at, Kind.WORD)) {
        constant();
      } else {
        at++;
      }
    }
  }

  private void constant() {
    int first = at++;
    if (tokens.isSign(at, '(')) {
      skipParentheses();
    }
    int end = at;
    if (tokens.isSign(at, '{')) {
      skipBlock();
    }
    addMember(first, signature(first, end) + ",", at);
    doc = -1;
  }

  /// Adds a field with its initial value if short, and moves to the semicolon.
  private void field(int first, int head) {
    int equals = at;
    for (; at < tokens.size() && !tokens.isSign(at, ';'); at++) {
      if (tokens.isSign(at, '{')) {
        skipBlock();
        at--;
      } else if (tokens.isSign(at, '}')) {
        break;
      }
    }
    var whole = signature(head, at);
    boolean isShort = whole.length() <= 80 && whole.indexOf('{') < 0;
    addMember(first, (isShort ? whole : signature(head, equals)) + ";", at);
  }

  private void member(int first, int head, int end) {
    if (end > head) {
      addMember(first, signature(head, end) + ";", end);
    }
    at = Math.max(at, first + 1);
  }

  private String signature(int first, int end) {
    if (end <= first) {
      return "";
    }
    int from = tokens.from(first);
    int to = Math.min(tokens.to(end - 1), from + 4 * MOST_SIGNATURE);
    return FirstSentence.line(text.substring(from, to), MOST_SIGNATURE).replace("( ", "(");
  }

  /// @param end token after the member, or its semicolon
  private void addMember(int first, String signature, int end) {
    int start = tokens.from(doc >= 0 ? doc : first);
    int line = start;
    while (line > 0 && (text.charAt(line - 1) == ' ' || text.charAt(line - 1) == '\t')) {
      line--;
    }
    int last = tokens.isSign(end, ';') ? end : end - 1;
    var sentence = doc >= 0 ? sentence() : "";
    var shown = sentence.isEmpty() ? "" : indent() + "/// " + sentence + "\n";
    add(new OutlineSection(shown + indent() + signature, line, tokens.to(last)));
  }

  private String sentence() {
    return JavaDoc.sentence(text, tokens.from(doc), tokens.to(doc));
  }

  private void add(OutlineSection section) {
    if (sections.size() < MOST_SECTIONS) {
      sections.add(section);
    }
  }

  private String indent() {
    return "  ".repeat(open.size());
  }
}
