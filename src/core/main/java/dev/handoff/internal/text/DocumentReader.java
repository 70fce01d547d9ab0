package dev.handoff.internal.text;

import com.fasterxml.jackson.core.JsonToken;
import dev.handoff.internal.text.LocatedValue.Fields;
import dev.handoff.internal.text.LocatedValue.Flaw;
import dev.handoff.internal.text.LocatedValue.Items;
import dev.handoff.internal.text.LocatedValue.Kept;
import dev.handoff.internal.text.LocatedValue.Kind;
import dev.handoff.internal.text.LocatedValue.Scalar;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reader of a JSON or YAML document as a tree of [LocatedValue]s. The field `payload` of the
/// document, and of each object in a list, is kept as JSON: its tree could be many times as large
/// as its text.
public final class DocumentReader {

  /// Document with one object.
  ///
  /// @param malformed reason why only the beginning was read, with its place; null = all was read
  public record Document(Fields root, @Nullable String malformed) {}

  /// Most values outside of payloads. The largest possible plan has fewer.
  static final int MOST_VALUES = 1_500_000;

  private static final int MOST_SHARED = 20_000;

  private static final String KEPT = "payload";

  private final StrictParser parser;

  /// Texts that are kept once, such as names of fields and of steps.
  private final Map<String, String> shared = new HashMap<>();

  private int values;

  private DocumentReader(StrictParser parser) {
    this.parser = parser;
  }

  /// Reads a document.
  ///
  /// @param parser parser at the beginning
  /// @param shape description of the document, such as `a job is a JSON object`
  /// @param name name of the object, such as `the object`
  /// @throws MalformedTextException if the document does not begin with an object
  public static Document read(StrictParser parser, String shape, String name) throws IOException {
    try (parser) {
      if (parser.next() != JsonToken.START_OBJECT) {
        throw parser.malformed(shape);
      }
      if (parser.flaw() != null) {
        throw parser.malformed(parser.flaw());
      }
      var root = new Fields(parser.line(), new LinkedHashMap<>(), new ArrayList<>());
      try {
        new DocumentReader(parser).fill(root, true);
        parser.end(name);
        return new Document(root, null);
      } catch (MalformedTextException end) {
        return new Document(root, end.getMessage());
      }
    }
  }

  /// Reads the fields of an object.
  ///
  /// @param keeps whether the object has a field that is kept
  private void fill(Fields object, boolean keeps) throws IOException {
    while (parser.next() != JsonToken.END_OBJECT) {
      var name = text();
      int line = parser.line();
      if (parser.flaw() != null) {
        object.flaws().add(new Flaw(line, parser.flaw()));
      }
      boolean isKept = keeps && name.equals(KEPT);
      parser.next();
      if (isKept && parser.token() != JsonToken.VALUE_NULL) {
        var flaws = new ArrayList<Flaw>();
        object.fields().putIfAbsent(name, new Kept(line, parser.json(flaws), flaws));
      } else {
        value(line, false, value -> object.fields().putIfAbsent(name, value));
      }
    }
  }

  /// Reads a value. An object or list is handed over before it is filled: a malformed document
  /// keeps its beginning.
  private void value(int line, boolean isItem, Consumer<LocatedValue> parent) throws IOException {
    if (++values > MOST_VALUES) {
      throw parser.malformed("has more than %,d values".formatted(MOST_VALUES));
    }
    var flaw = parser.flaw();
    if (flaw != null) {
      parent.accept(new Scalar(line, Kind.FLAWED, flaw));
      parser.json(new ArrayList<>());
    } else if (parser.token() == JsonToken.START_OBJECT) {
      var object = new Fields(line, new LinkedHashMap<>(), new ArrayList<>());
      parent.accept(object);
      fill(object, isItem);
    } else if (parser.token() == JsonToken.START_ARRAY) {
      var list = new Items(line, new ArrayList<>());
      parent.accept(list);
      while (parser.next() != JsonToken.END_ARRAY) {
        value(parser.line(), true, list.items()::add);
      }
    } else {
      var kind = parser.isTime() ? Kind.TIME : kind(parser.token());
      parent.accept(new Scalar(line, kind, text()));
    }
  }

  private String text() throws IOException {
    var text = parser.text();
    var first = shared.size() < MOST_SHARED ? shared.putIfAbsent(text, text) : shared.get(text);
    return first == null ? text : first;
  }

  private static Kind kind(JsonToken scalar) {
    return switch (scalar) {
      case VALUE_STRING -> Kind.TEXT;
      case VALUE_NUMBER_INT -> Kind.WHOLE;
      case VALUE_NUMBER_FLOAT -> Kind.DECIMAL;
      case VALUE_TRUE, VALUE_FALSE -> Kind.TRUTH;
      default -> Kind.NULL;
    };
  }
}
