package dev.handoff.internal.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.handoff.Json;
import dev.handoff.internal.text.LocatedValue.Flaw;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Strict parser for one JSON or YAML document from outside. It refuses input on which parsers
/// disagree (broken UTF-8, byte order marks, duplicate names, trailing content, numbers beyond a
/// double, YAML aliases and tags) and text that no store accepts (NUL, lone surrogates). Reading
/// token by token keeps deep and large input cheap.
public final class StrictParser implements AutoCloseable {

  static final int LONGEST_NUMBER = 1_000;

  /// Most problems that leave the rest readable: each takes memory.
  private static final int MOST_FLAWS = 100;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(limits(StreamReadConstraints.DEFAULT_MAX_DEPTH))
          .build();

  private final JsonParser parser;
  private final String text;
  private final boolean isOneLine;

  /// Field names read so far, one set per open object; the set of an open list stays empty.
  private final Deque<Set<String>> names = new ArrayDeque<>();

  private @Nullable String flaw;
  private int flaws;

  private StrictParser(JsonParser parser, String text, boolean isOneLine) {
    this.parser = parser;
    this.text = text;
    this.isOneLine = isOneLine;
  }

  /// Parser for a JSON value that usually is one line. Places are characters.
  public static StrictParser value(byte[] utf8) throws IOException {
    var text = decoded(utf8);
    return new StrictParser(JSON.createParser(text), text, true);
  }

  /// Parser for a file. Places are lines.
  public static StrictParser file(String text, boolean isJson) throws IOException {
    var parser = isJson ? JSON.createParser(text) : PlainYamlParser.of(text);
    return new StrictParser(parser, text, false);
  }

  /// Checks that a value is JSON.
  ///
  /// @throws MalformedTextException if it is not, with the reason and the place
  public static void check(Json json) throws IOException {
    try (var parser = value(json.utf8())) {
      var flaws = new ArrayList<Flaw>();
      if (parser.next() == null) {
        throw new MalformedTextException("it is empty");
      }
      parser.json(flaws);
      parser.end("the value");
      if (!flaws.isEmpty()) {
        throw new MalformedTextException(flaws.getFirst().text());
      }
    }
  }

  /// Text of a document.
  ///
  /// @throws MalformedTextException if the bytes are not UTF-8, or begin with a byte order mark
  public static String decoded(byte[] utf8) throws MalformedTextException {
    var in = ByteBuffer.wrap(utf8);
    try {
      var text = StandardCharsets.UTF_8.newDecoder().decode(in).toString();
      if (text.startsWith("\uFEFF")) {
        throw new MalformedTextException(
            "starts with a byte order mark: save the text as UTF-8 without one");
      }
      return text;
    } catch (CharacterCodingException broken) {
      throw new MalformedTextException("not UTF-8 (at byte %d)".formatted(in.position() + 1));
    }
  }

  /// Limits of Jackson. The length of numbers is checked here, for JSON and YAML alike.
  static StreamReadConstraints limits(int depth) {
    return StreamReadConstraints.builder()
        .maxNestingDepth(depth)
        .maxNumberLength(Integer.MAX_VALUE)
        .build();
  }

  /// Next token; null at the end.
  @Nullable JsonToken next() throws MalformedTextException {
    try {
      var token = parser.nextToken();
      flaw = token == null ? null : flawOf(token);
    } catch (JsonProcessingException malformed) {
      throw malformed(malformed);
    } catch (IOException | RuntimeException other) {
      throw malformed(ParserMessages.plain(other.getMessage()));
    }
    if (token() == null && !names.isEmpty()) {
      throw malformed("the text ends in the middle");
    }
    if (flaw != null && ++flaws > MOST_FLAWS) {
      throw malformed("the rest is not read: too much before it is not taken");
    }
    flaw = flaw != null && isOneLine ? placed(flaw, line()) : flaw;
    return token();
  }

  /// Problem of the last token that leaves the rest readable; null without one.
  @Nullable String flaw() {
    return flaw;
  }

  JsonToken token() {
    return parser.currentToken();
  }

  String text() throws IOException {
    return parser.getText();
  }

  /// Whether the last token is an unquoted date or time, which some readers do not take for text.
  boolean isTime() throws IOException {
    return parser instanceof PlainYamlParser yaml && yaml.isTime();
  }

  /// Line of the last token, or its character in a document of one line.
  int line() {
    var place = parser.currentTokenLocation();
    return Math.max(1, isOneLine ? (int) place.getCharOffset() + 1 : place.getLineNr());
  }

  /// Value that begins with the last token, as JSON: from one line as it is written, from a file in
  /// the usual form.
  ///
  /// @param flaws gets the problems within the value
  Json json(List<Flaw> flaws) throws IOException {
    int from = (int) parser.currentTokenLocation().getCharOffset();
    int outside = names.size() - (token() != null && token().isStructStart() ? 1 : 0);
    var json = new ByteArrayOutputStream();
    try (var out = isOneLine ? null : JSON.createGenerator(json)) {
      copy(out, flaws);
      while (names.size() > outside) {
        next();
        copy(out, flaws);
      }
    }
    return isOneLine
        ? Json.of(text.substring(from, (int) parser.currentLocation().getCharOffset()))
        : Json.owned(json.toByteArray());
  }

  private void copy(@Nullable JsonGenerator out, List<Flaw> flaws) throws IOException {
    if (flaw != null) {
      flaws.add(new Flaw(line(), flaw));
    } else if (flaws.size() < MOST_FLAWS && isTime()) {
      flaws.add(new Flaw(line(), PlainYamlParser.ambiguous(text(), "put it in quotes")));
    }
    if (out == null) {
      return;
    }
    if (flaw != null && token().isScalarValue()) {
      out.writeNull();
    } else if (token().isNumeric()) {
      out.writeNumber(text());
    } else {
      out.copyCurrentEvent(parser);
    }
  }

  /// Checks that no token follows.
  void end(String what) throws MalformedTextException {
    if (next() != null) {
      throw malformed("something follows the end of " + what);
    }
  }

  /// Problem at the last token that ends the reading.
  MalformedTextException malformed(String problem) {
    return new MalformedTextException(placed(problem, line()));
  }

  /// Problem at the offending character, which the parser has already consumed.
  private MalformedTextException malformed(JsonProcessingException malformed) {
    var at = malformed.getLocation();
    long place =
        isOneLine ? parser.currentLocation().getCharOffset() : at == null ? line() : at.getLineNr();
    return new MalformedTextException(
        placed(ParserMessages.plain(malformed.getOriginalMessage()), Math.max(1, place)));
  }

  private String placed(String problem, long place) {
    return isOneLine
        ? "%s (at character %d)".formatted(problem, place)
        : "line %d: %s".formatted(place, problem);
  }

  private @Nullable String flawOf(JsonToken token) throws IOException {
    if (token.isStructEnd()) {
      names.pop();
    } else if (token.isStructStart()) {
      names.push(token == JsonToken.START_OBJECT ? new HashSet<>() : Set.of());
    }
    boolean isTwice = token == JsonToken.FIELD_NAME && !names.element().add(text());
    var ofYaml = parser instanceof PlainYamlParser yaml ? yaml.flaw() : null;
    if (ofYaml != null) {
      return ofYaml;
    }
    if (isTwice) {
      return "the field \"%s\" is there twice".formatted(SafeText.shown(text()));
    }
    if (token.isNumeric()) {
      return numberFlaw(token);
    }
    boolean isText = token == JsonToken.FIELD_NAME || token == JsonToken.VALUE_STRING;
    return isText && !SafeText.isClean(text())
        ? "text with a NUL or half a surrogate pair cannot be stored"
        : null;
  }

  private @Nullable String numberFlaw(JsonToken token) throws IOException {
    if (parser.getTextLength() > LONGEST_NUMBER) {
      return "a number of %d characters is too long".formatted(parser.getTextLength());
    }
    return token == JsonToken.VALUE_NUMBER_FLOAT && Double.isInfinite(Double.parseDouble(text()))
        ? "the number %s is beyond what a double holds".formatted(SafeText.shown(text()))
        : null;
  }

  @Override
  public void close() throws IOException {
    parser.close();
  }
}
