package dev.handoff.internal.text;

import dev.handoff.Json;
import dev.handoff.internal.text.LocatedValue.Fields;
import dev.handoff.internal.text.LocatedValue.Flaw;
import dev.handoff.internal.text.LocatedValue.Kept;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Reader of the fields of one object. A field that does not fit becomes a problem, and counts as
/// left out; so does null.
public final class FieldReader {

  private final Fields object;
  private final String path;
  private final String prefix;
  private final ProblemList problems;
  private final Set<String> known = new LinkedHashSet<>();
  private boolean allFit = true;

  /// @param path path of the step that has the object; empty without steps
  public FieldReader(Fields object, String path, ProblemList problems) {
    this(object, path, "", problems);
  }

  /// @param prefix field that has the object, with a dot at its end; empty for a step or document
  private FieldReader(Fields object, String path, String prefix, ProblemList problems) {
    this.object = object;
    this.path = path;
    this.prefix = prefix;
    this.problems = problems;
  }

  /// Reader of an object in a field of this one.
  public FieldReader inside(String field, LocatedValue value) {
    return new FieldReader(value.object("must be an object"), path, prefix + field + ".", problems);
  }

  public boolean has(String field) {
    var value = object.fields().get(field);
    return value != null && !value.isNull();
  }

  /// Reads a field.
  ///
  /// @param form conversion of the value; throws an [IllegalArgumentException] if it does not fit
  public <T> @Nullable T read(String field, Function<LocatedValue, T> form) {
    known.add(field);
    return has(field) ? converted(field, object.fields().get(field), form) : null;
  }

  public <T> T read(String field, Function<LocatedValue, T> form, T fallback) {
    var read = read(field, form);
    return read == null ? fallback : read;
  }

  /// Reads a field into a request.
  public <R, T> R set(
      R request, String field, Function<LocatedValue, T> form, BiFunction<R, T, R> with) {
    var read = read(field, form);
    return read == null ? request : with.apply(request, read);
  }

  /// Reads all fields as texts, whatever their names are.
  public Map<String, String> texts() {
    Map<String, String> texts = new HashMap<>();
    for (var field : object.fields().entrySet()) {
      known.add(field.getKey());
      var text = converted(field.getKey(), field.getValue(), LocatedValue::text);
      if (text != null) {
        texts.put(field.getKey(), text);
      }
    }
    return texts;
  }

  /// Reads a field that the document keeps as JSON.
  public Json json(String field) {
    known.add(field);
    if (!(object.fields().get(field) instanceof Kept(var line, var json, var flaws))) {
      return Json.NULL;
    }
    flaws.forEach(flaw -> wrong(field, flaw.line(), flaw.text()));
    return json;
  }

  /// Known fields that are there.
  public Set<String> given() {
    var given = new LinkedHashSet<>(known);
    given.removeIf(field -> !has(field));
    return given;
  }

  public void require(String field, String problem) {
    if (problems.isWhole() && !has(field)) {
      wrong(field, object.line(), problem);
    }
  }

  /// Refuses all fields that were not read.
  ///
  /// @return whether all fields fit
  public boolean end(String owner) {
    var own = prefix.isEmpty() ? "" : prefix.substring(0, prefix.length() - 1) + ": ";
    for (Flaw flaw : object.flaws()) {
      problem("", flaw.line(), own + flaw.text());
    }
    for (var field : object.fields().entrySet()) {
      if (!known.contains(field.getKey())) {
        wrong(
            field.getKey(),
            field.getValue().line(),
            "is not a field of %s; known: %s".formatted(owner, String.join(", ", known)));
      }
    }
    return allFit;
  }

  /// Adds a problem of a field.
  public void wrong(String field, String problem) {
    wrong(field, object.lineOf(field), problem);
  }

  /// Adds problems that name their fields themselves.
  public void broken(List<LocatedProblem> rules) {
    rules.forEach(rule -> problem(rule.field(), object.lineOf(rule.field()), rule.text()));
  }

  private <T> @Nullable T converted(
      String field, LocatedValue value, Function<LocatedValue, T> form) {
    try {
      return form.apply(value);
    } catch (MisfitValueException misfit) {
      wrong(field, misfit.line(), misfit.getMessage());
    } catch (IllegalArgumentException misfit) {
      wrong(field, value.line(), misfit.getMessage());
    }
    return null;
  }

  private void wrong(String field, int line, @Nullable String problem) {
    var name = prefix + SafeText.shown(field);
    problem(name, line, name + ": " + problem);
  }

  /// Adds a problem.
  ///
  /// @param field field that the text names; empty without one
  public void problem(String field, int line, String text) {
    allFit = false;
    var step = path.isEmpty() ? "" : "step %s: ".formatted(SafeText.shown(path));
    problems.add(new LocatedProblem(path, field, line, step + text));
  }
}
