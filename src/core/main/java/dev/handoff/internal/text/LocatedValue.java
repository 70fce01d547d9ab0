package dev.handoff.internal.text;

import dev.handoff.Json;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Value of a JSON or YAML document, with its place. An accessor throws a [MisfitValueException] if
/// the value is of another kind.
public sealed interface LocatedValue {

  /// Kind of a scalar. A `TIME` is an unquoted date or time, which is text only for some YAML
  /// readers. The content of a `FLAWED` scalar is the reason why it is not taken.
  enum Kind {
    TEXT,
    TIME,
    WHOLE,
    DECIMAL,
    TRUTH,
    NULL,
    FLAWED
  }

  record Scalar(int line, Kind kind, String content) implements LocatedValue {}

  /// Object with its fields in the order of the document. Of fields with the same name, the first
  /// is kept.
  ///
  /// @param flaws problems of field names
  record Fields(int line, Map<String, LocatedValue> fields, List<Flaw> flaws)
      implements LocatedValue {

    /// Line of a field, or else of the object.
    public int lineOf(String field) {
      return fields.getOrDefault(field, this).line();
    }
  }

  record Items(int line, List<LocatedValue> items) implements LocatedValue {}

  /// Value that is not taken apart, such as a payload.
  record Kept(int line, Json json, List<Flaw> flaws) implements LocatedValue {}

  /// Problem within a value that leaves the rest readable.
  record Flaw(int line, String text) {}

  /// Line of the value, or of its name if it is the value of a field. In a document of one line,
  /// the character.
  int line();

  default boolean isNull() {
    return content(Kind.NULL) != null;
  }

  default String text() {
    return text("must be text in quotes");
  }

  default String text(String problem) {
    return content(problem, Kind.TEXT);
  }

  /// Text, or an unquoted date or time.
  default String textOrTime() {
    return content("must be text in quotes", Kind.TEXT, Kind.TIME);
  }

  default boolean truth() {
    return Boolean.parseBoolean(content("must be true or false", Kind.TRUTH));
  }

  default double number() {
    return Double.parseDouble(content("must be a number", Kind.WHOLE, Kind.DECIMAL));
  }

  default int whole() {
    return whole(Integer.MIN_VALUE, Integer.MAX_VALUE, "%s is too large");
  }

  default int whole(int least, int most) {
    return whole(least, most, "must be %d to %d, was %%s".formatted(least, most));
  }

  private int whole(int least, int most, String problem) {
    var number = new BigInteger(content("must be a whole number", Kind.WHOLE));
    if (number.compareTo(BigInteger.valueOf(least)) < 0
        || number.compareTo(BigInteger.valueOf(most)) > 0) {
      throw misfit(problem.formatted(SafeText.shown(number.toString())));
    }
    return number.intValue();
  }

  default Fields object(String problem) {
    if (this instanceof Fields object) {
      return object;
    }
    throw misfit(problem);
  }

  default List<LocatedValue> list() {
    if (this instanceof Items(var line, var items)) {
      return items;
    }
    throw misfit("must be a list");
  }

  /// Texts of a list.
  default List<String> texts(String problem) {
    var texts = new ArrayList<String>();
    list().forEach(item -> texts.add(item.text(problem)));
    return texts;
  }

  /// Exception for a value that does not fit.
  default MisfitValueException misfit(String problem) {
    var time = content(Kind.TIME);
    var flaw =
        time == null ? content(Kind.FLAWED) : PlainYamlParser.ambiguous(time, "put it in quotes");
    return new MisfitValueException(line(), flaw == null ? problem : flaw);
  }

  private @Nullable String content(Kind... kinds) {
    return this instanceof Scalar(var line, var kind, var content) && List.of(kinds).contains(kind)
        ? content
        : null;
  }

  private String content(String problem, Kind... kinds) {
    var content = content(kinds);
    if (content == null) {
      throw misfit(problem);
    }
    return content;
  }
}
