package dev.handoff.internal.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import dev.handoff.internal.text.StrictJson.Malformed;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;

/// Strict tokenizer for JSON and YAML from outside; each token has its line. Ambiguous YAML
/// features are refused: aliases, tags, merged fields, several documents. So are duplicate names,
/// invalid numbers, excessive nesting, and text that no store accepts. A problem that leaves the
/// rest readable goes to the listener, and parsing continues.
public final class StrictTokens implements AutoCloseable {

  /// Maximum nesting depth of objects and lists.
  static final int MOST_DEPTH = 500;

  /// Maximum length of a YAML line: the scanner's time grows with the square of one unbroken piece
  /// of text.
  public static final int LONGEST_LINE = 300_000;

  private static final int LONGEST_NUMBER = 1_000;
  private static final int LONGEST_PROBLEM = 300;
  private static final StreamReadConstraints LIMITS =
      StreamReadConstraints.builder().maxNestingDepth(MOST_DEPTH).build();
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
          .disable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .streamReadConstraints(LIMITS)
          .build();

  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

  /// Receives problems of the last token.
  public interface Listener {
    void wrong(int line, String what);
  }

  private final JsonParser parser;
  private final StrictScalars scalars;

  /// Field names read so far, one set per open object; the set of an open list stays empty.
  private final Deque<Set<String>> fields = new ArrayDeque<>();

  private Listener listener = (line, what) -> {};

  private StrictTokens(JsonParser parser, String text) {
    this.parser = parser;
    this.scalars = new StrictScalars(text);
  }

  public void listener(Listener next) {
    listener = next;
  }

  public static StrictTokens json(String text) throws IOException {
    return new StrictTokens(JSON.createParser(text), text);
  }

  public static StrictTokens yaml(String text) throws IOException {
    checkLines(text);
    var options = new LoaderOptions();
    options.setCodePointLimit(text.length() + 1);
    options.setNestingDepthLimit(MOST_DEPTH);
    var factory =
        YAMLFactory.builder()
            .loaderOptions(options)
            .enable(YAMLParser.Feature.EMPTY_STRING_AS_NULL)
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .streamReadConstraints(LIMITS)
            .build();
    return new StrictTokens(factory.createParser(text), text);
  }

  private static void checkLines(String text) throws Malformed {
    int line = 1;
    int length = 0;
    for (int at = 0; at < text.length(); at++) {
      boolean isEnd = text.charAt(at) == '\n';
      length = isEnd ? 0 : length + 1;
      line += isEnd ? 1 : 0;
      if (length > LONGEST_LINE) {
        throw new Malformed(
            "line %d: is longer than %,d characters: break it up, or write the file in JSON"
                .formatted(line, LONGEST_LINE));
      }
    }
  }

  /// Next token, checked; null at the end.
  public JsonToken next() throws Malformed {
    try {
      var token = parser.nextToken();
      if (token != null) {
        check(token);
      }
      return token;
    } catch (Malformed known) {
      throw known;
    } catch (JsonProcessingException malformed) {
      throw malformed(malformed);
    } catch (IOException | RuntimeException other) {
      throw at(brief(String.valueOf(other.getMessage())));
    }
  }

  public JsonToken token() {
    return parser.currentToken();
  }

  /// Line of the last token.
  public int line() {
    return Math.max(1, parser.currentTokenLocation().getLineNr());
  }

  public String text() throws IOException {
    return parser.getText();
  }

  /// Copies the value that begins with the last token.
  public void copy(JsonGenerator out) throws IOException {
    int open = 0;
    while (true) {
      var token = token();
      switch (token) {
        case START_OBJECT -> out.writeStartObject();
        case END_OBJECT -> out.writeEndObject();
        case START_ARRAY -> out.writeStartArray();
        case END_ARRAY -> out.writeEndArray();
        case FIELD_NAME -> out.writeFieldName(text());
        case VALUE_STRING -> out.writeString(text());
        case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT ->
            out.writeNumber(badNumber() == null ? text() : "0");
        case VALUE_TRUE -> out.writeBoolean(true);
        case VALUE_FALSE -> out.writeBoolean(false);
        case VALUE_NULL -> out.writeNull();
        case VALUE_EMBEDDED_OBJECT -> out.writeNull(); // tagged value, already reported
        case NOT_AVAILABLE -> throw at("this cannot be written as JSON");
      }
      open += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
      if (open == 0) {
        return;
      }
      inside();
    }
  }

  /// Skips the value that begins with the last token.
  public void skip() throws Malformed {
    int open = 0;
    while (true) {
      var token = token();
      open += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
      if (open == 0) {
        return;
      }
      inside();
    }
  }

  private void inside() throws Malformed {
    if (next() == null) {
      throw at("the text ends in the middle");
    }
  }

  /// Problem at the last token.
  public Malformed at(String problem) {
    return new Malformed("line %d: %s".formatted(line(), problem));
  }

  @Override
  public void close() throws IOException {
    parser.close();
  }

  private void wrong(String what) {
    listener.wrong(line(), what);
  }

  private void check(JsonToken token) throws IOException {
    if (parser instanceof YAMLParser yaml) {
      checkYaml(yaml);
    }
    checkOnce(token);
    if (token == JsonToken.VALUE_STRING || token == JsonToken.FIELD_NAME) {
      if (!SafeText.isClean(parser.getText())) {
        throw at("text with a NUL or half a surrogate pair cannot be stored");
      }
    } else if (token.isNumeric()) {
      var bad = badNumber();
      if (bad != null) {
        wrong(bad);
      }
    }
  }

  private void checkOnce(JsonToken token) throws IOException {
    if (token.isStructStart()) {
      fields.push(new HashSet<>());
    } else if (token.isStructEnd()) {
      fields.pop();
    } else if (token == JsonToken.FIELD_NAME && !fields.element().add(text())) {
      wrong("the field \"%s\" is there twice".formatted(SafeText.shown(text())));
    }
  }

  private void checkYaml(YAMLParser yaml) throws IOException {
    if (yaml.isCurrentAlias()) {
      wrong("aliases (*name) are not taken: write it out where it is needed");
    } else if (yaml.getTypeId() != null) {
      wrong("tags (!name) are not taken: put text in quotes if it looks like something else");
    } else if (yaml.currentToken() == JsonToken.FIELD_NAME && yaml.getText().equals("<<")) {
      wrong("merged fields (<<) are not taken: write them out where they are needed");
    } else if (yaml.currentToken().isBoolean() && !yaml.getText().matches("true|false")
        || yaml.currentToken() == JsonToken.VALUE_STRING
            && scalars.isAmbiguous(yaml.getText(), yaml.currentTokenLocation().getCharOffset())) {
      wrong(
          "%s is not read alike by everybody: write true or false, or a number as JSON has them, or"
                  .formatted(SafeText.shown(yaml.getText()))
              + " put it in quotes");
    }
  }

  /// Problem of a number; null for the JSON notation. Other notations are not portable between
  /// readers.
  private @Nullable String badNumber() throws IOException {
    var text = parser.getText();
    if (text.length() > LONGEST_NUMBER) {
      return "a number of %d characters is too long".formatted(text.length());
    }
    if (!NUMBER.matcher(text).matches()) {
      return "%s is not a number as JSON has them: write it so, or put it in quotes"
          .formatted(SafeText.shown(text));
    }
    return Double.isInfinite(Double.parseDouble(text))
        ? "the number %s is beyond what a double holds".formatted(SafeText.shown(text))
        : null;
  }

  private Malformed malformed(JsonProcessingException malformed) {
    var location = malformed.getLocation();
    int line = location == null ? line() : Math.max(1, location.getLineNr());
    return new Malformed(
        "line %d: %s".formatted(line, brief(String.valueOf(malformed.getOriginalMessage()))));
  }

  /// Short form of a YAML parser's message: without line breaks and indented excerpts.
  private static String brief(String message) {
    var told =
        message
            .lines()
            .filter(line -> !line.isBlank() && !line.startsWith(" "))
            .limit(2)
            .collect(Collectors.joining(", "));
    return SafeText.clean(ParserMessages.plain(told), LONGEST_PROBLEM);
  }
}
