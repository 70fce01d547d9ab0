package dev.handoff.internal.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import dev.handoff.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Strict parser for one JSON object from outside. Reading token by token keeps deep and large
/// input cheap. The parser refuses input on which parsers disagree (broken UTF-8, byte order marks,
/// duplicate names, trailing content, numbers beyond a double) and text that no store accepts (NUL,
/// lone surrogates).
public final class StrictJson implements AutoCloseable {

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
          .disable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .build();

  public interface Field {
    /// Reads one field; the last token is the beginning of its value.
    void read(String name) throws IOException;
  }

  /// Reason why the text is refused. Text in memory can have no other I/O failure.
  public static final class Malformed extends IOException {
    public Malformed(String message) {
      super(message);
    }
  }

  private final String text;
  private final JsonParser parser;

  private StrictJson(String text, JsonParser parser) {
    this.text = text;
    this.parser = parser;
  }

  public static StrictJson open(byte[] utf8) throws IOException {
    var text = decoded(utf8);
    if (text.startsWith("\uFEFF")) {
      throw new Malformed("starts with a byte order mark: save the text as UTF-8 without one");
    }
    return new StrictJson(text, FACTORY.createParser(text));
  }

  /// Next token, with its text or number checked.
  public JsonToken next() throws IOException {
    try {
      var token = parser.nextToken();
      if (token == JsonToken.VALUE_STRING || token == JsonToken.FIELD_NAME) {
        checkText(parser.getText());
      } else if (token == JsonToken.VALUE_NUMBER_FLOAT) {
        checkNumber(parser.getText());
      }
      return token;
    } catch (JsonProcessingException malformed) {
      throw malformed(malformed);
    }
  }

  public JsonToken token() {
    return parser.currentToken();
  }

  /// Reads the fields of the object whose start is the last token.
  public void fields(Field field) throws IOException {
    while (next() == JsonToken.FIELD_NAME) {
      var name = parser.getText();
      next();
      field.read(name);
    }
  }

  /// Reads an object. The first problem is thrown after the whole object was read, so that parsing
  /// can continue behind it.
  ///
  /// @throws IllegalArgumentException if the value is not an object
  public void object(Field field) throws IOException {
    expect(parser.currentToken() == JsonToken.START_OBJECT, "an object");
    var wrong = new ArrayList<IllegalArgumentException>();
    fields(
        name -> {
          try {
            field.read(name);
          } catch (IllegalArgumentException problem) {
            wrong.add(problem);
          }
        });
    if (!wrong.isEmpty()) {
      throw wrong.getFirst();
    }
  }

  public String string() throws IOException {
    expect(parser.currentToken() == JsonToken.VALUE_STRING, "text in quotes");
    return parser.getText();
  }

  /// Reads a list of strings. A problem is thrown after the whole list was read.
  ///
  /// @throws IllegalArgumentException if the value is not a list of strings
  public void strings(List<String> into) throws IOException {
    expect(parser.currentToken() == JsonToken.START_ARRAY, "a list");
    boolean fit = true;
    while (next() != JsonToken.END_ARRAY) {
      if (parser.currentToken() == JsonToken.VALUE_STRING) {
        into.add(parser.getText());
      } else {
        fit = false;
        skip();
      }
    }
    if (!fit) {
      throw new IllegalArgumentException("must be a list of texts in quotes");
    }
  }

  public int integer() throws IOException {
    expect(parser.currentToken() == JsonToken.VALUE_NUMBER_INT, "a whole number");
    try {
      return Integer.parseInt(parser.getText());
    } catch (NumberFormatException large) {
      throw new IllegalArgumentException(
          "%s is too large".formatted(SafeText.shown(parser.getText())));
    }
  }

  public double number() throws IOException {
    expect(parser.currentToken().isNumeric(), "a number");
    return Double.parseDouble(parser.getText());
  }

  /// Source text of the value that begins with the last token.
  public Json raw() throws IOException {
    int from = (int) parser.currentTokenLocation().getCharOffset();
    skip();
    return Json.of(text.substring(from, (int) parser.currentLocation().getCharOffset()));
  }

  /// Skips the value that begins with the last token.
  public void skip() throws IOException {
    int open = 0;
    var token = parser.currentToken();
    while (true) {
      open += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
      if (open == 0) {
        return;
      }
      token = next();
    }
  }

  /// Checks that no token follows.
  public void end() throws IOException {
    if (next() != null) {
      throw at("something follows the end of the object");
    }
  }

  /// Problem at the last token.
  public Malformed at(String problem) {
    return new Malformed(placed(problem, parser.currentTokenLocation().getCharOffset() + 1));
  }

  @Override
  public void close() throws IOException {
    parser.close();
  }

  /// Problem at the offending character, which the parser has already consumed.
  private Malformed malformed(JsonProcessingException malformed) {
    var problem = malformed.getOriginalMessage().lines().findFirst().orElse("not JSON");
    return new Malformed(
        placed(ParserMessages.plain(problem), parser.currentLocation().getCharOffset()));
  }

  private static String placed(String problem, long character) {
    return "%s (at character %d)".formatted(problem, Math.max(1, character));
  }

  private void expect(boolean met, String what) throws IOException {
    if (!met) {
      skip();
      throw new IllegalArgumentException("must be " + what);
    }
  }

  private void checkText(String value) throws IOException {
    if (!SafeText.isClean(value)) {
      throw at("text with a NUL or half a surrogate pair cannot be stored");
    }
  }

  private void checkNumber(String number) throws IOException {
    if (Double.isInfinite(Double.parseDouble(number))) {
      throw at("the number %s is beyond what a double holds".formatted(SafeText.shown(number)));
    }
  }

  public static String decoded(byte[] utf8) throws IOException {
    var in = ByteBuffer.wrap(utf8);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(in).toString();
    } catch (CharacterCodingException broken) {
      throw new Malformed("not UTF-8 (at byte %d)".formatted(in.position() + 1));
    }
  }
}
