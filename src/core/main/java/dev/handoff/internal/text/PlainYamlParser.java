package dev.handoff.internal.text;

import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.IOContext;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactoryBuilder;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.io.Reader;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.resolver.Resolver;

/// YAML parser for plain YAML: without aliases, tags, merged fields, and unquoted words on which
/// YAML readers disagree. Such words are text in YAML 1.1 and a number or boolean in YAML 1.2, or
/// the reverse.
final class PlainYamlParser extends YAMLParser {

  /// Maximum length of a line: the scanner's time grows with the square of one unbroken piece of
  /// text.
  static final int LONGEST_LINE = 300_000;

  /// Maximum sum, over all brackets of a file, of the brackets that are open on their line: the
  /// scanner visits these for each word.
  private static final long MOST_OPEN_BRACKETS = 50_000_000;

  private static final int MOST_DEPTH = 500;
  private static final int LONGEST_WORD = 64;

  private static final Pattern JSON_NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

  private static final Pattern POWER = Pattern.compile("[^eE]+[eE].+");

  /// Powers of ten that are numbers in YAML 1.1, too.
  private static final Pattern POWER_OF_ALL = Pattern.compile("[^eE.]+\\.[^eE]+[eE][-+].+");

  private static final Pattern TRUTHS =
      Pattern.compile("y|Y|yes|Yes|YES|n|N|no|No|NO|on|On|ON|off|Off|OFF|True|TRUE|False|FALSE");

  /// Numbers in octal, hexadecimal, binary and base 60, with underscores, leading zeros or bare
  /// points.
  private static final Pattern NUMBERS =
      Pattern.compile(
          "[-+]?(0[xob]?[0-9a-fA-F_]+|[0-9][0-9_]*(:[0-5]?[0-9])+(\\.[0-9_]*)?"
              + "|(\\.[0-9][0-9_]*|[0-9][0-9_]*(\\.[0-9_]*)?)([eE][-+]?[0-9]+)?|\\.(inf|Inf|INF))"
              + "|\\.(nan|NaN|NAN)");

  private static final class Factory extends YAMLFactory {

    Factory(YAMLFactoryBuilder settings) {
      super(settings);
    }

    @Override
    protected YAMLParser _createParser(Reader reader, IOContext context) {
      return new PlainYamlParser(
          context, _parserFeatures, _yamlParserFeatures, _loaderOptions, reader);
    }
  }

  private PlainYamlParser(
      IOContext context, int features, int yamlFeatures, LoaderOptions options, Reader reader) {
    super(context, features, yamlFeatures, options, null, reader);
  }

  static YAMLParser of(String text) throws IOException {
    checkLines(text);
    var options = new LoaderOptions();
    options.setCodePointLimit(text.length() + 1);
    options.setNestingDepthLimit(MOST_DEPTH);
    var settings =
        YAMLFactory.builder()
            .loaderOptions(options)
            .enable(YAMLParser.Feature.EMPTY_STRING_AS_NULL);
    return new Factory(settings.streamReadConstraints(StrictParser.limits(MOST_DEPTH)))
        .createParser(text);
  }

  private static void checkLines(String text) throws MalformedTextException {
    int line = 1;
    int start = 0;
    long brackets = 0;
    for (int end = text.indexOf('\n'); start <= text.length(); end = text.indexOf('\n', start)) {
      end = end < 0 ? text.length() : end;
      if (end - start > LONGEST_LINE) {
        throw new MalformedTextException(
            "line %d: is longer than %,d characters: break it up, or write the file in JSON"
                .formatted(line, LONGEST_LINE));
      }
      brackets += openBrackets(text, start, end);
      if (brackets > MOST_OPEN_BRACKETS) {
        throw new MalformedTextException(
            "line %d: too many brackets are open: write the file in several lines, or in JSON"
                .formatted(line));
      }
      start = end + 1;
      line++;
    }
  }

  /// Sum, over the brackets of a line, of the brackets that are open there.
  private static long openBrackets(String text, int start, int end) {
    long sum = 0;
    int open = 0;
    for (int i = start; i < end; i++) {
      switch (text.charAt(i)) {
        case '[', '{' -> sum += ++open;
        case ']', '}' -> open = Math.max(0, open - 1);
        default -> {}
      }
    }
    return sum;
  }

  /// Problem of the last token; null without one.
  @Nullable String flaw() throws IOException {
    if (isCurrentAlias()) {
      return "aliases (*name) are not taken: write it out where it is needed";
    }
    if (getTypeId() != null || _lastEvent instanceof ScalarEvent word && word.getTag() != null) {
      return "tags (!name) are not taken: put text in quotes if it looks like something else";
    }
    if (currentToken() == JsonToken.FIELD_NAME) {
      return getText().equals("<<")
          ? "merged fields (<<) are not taken: write them out where they are needed"
          : null;
    }
    return isPlain() ? wordFlaw(getText()) : null;
  }

  private boolean isPlain() {
    return _lastEvent instanceof ScalarEvent scalar && scalar.isPlain();
  }

  /// Whether the last token is an unquoted date or time, which is text in YAML 1.2 only.
  boolean isTime() throws IOException {
    return currentToken() == JsonToken.VALUE_STRING
        && isPlain()
        && !isCurrentAlias()
        && getTextLength() <= LONGEST_WORD
        && Resolver.TIMESTAMP.matcher(getText()).matches();
  }

  private @Nullable String wordFlaw(String word) {
    if (currentToken().isNumeric()) {
      return word.length() > StrictParser.LONGEST_NUMBER ? null : numberFlaw(word);
    }
    return word.length() <= LONGEST_WORD
            && (TRUTHS.matcher(word).matches() || NUMBERS.matcher(word).matches())
        ? ambiguous(word, "write true or false, or a number as JSON has them, or put it in quotes")
        : null;
  }

  private static @Nullable String numberFlaw(String word) {
    if (!JSON_NUMBER.matcher(word).matches()) {
      return "%s is not a number as JSON has them: write it so, or put it in quotes"
          .formatted(SafeText.shown(word));
    }
    return POWER.matcher(word).matches() && !POWER_OF_ALL.matcher(word).matches()
        ? ambiguous(word, "write a number with a point and a sign, as 1.0e+3, or put it in quotes")
        : null;
  }

  /// Problem of an unquoted word.
  static String ambiguous(String word, String advice) {
    return "%s is not read alike by everybody: %s".formatted(SafeText.shown(word), advice);
  }
}
