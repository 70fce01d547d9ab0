package dev.handoff.internal.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.Json;
import dev.handoff.internal.text.DocumentReader.Document;
import dev.handoff.internal.text.LocatedValue.Fields;
import dev.handoff.internal.text.LocatedValue.Flaw;
import dev.handoff.internal.text.LocatedValue.Kept;
import dev.handoff.internal.text.LocatedValue.Kind;
import dev.handoff.internal.text.LocatedValue.Scalar;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A document")
class DocumentReaderTest {

  private static Document file(String text, boolean isJson) throws IOException {
    return DocumentReader.read(StrictParser.file(text, isJson), "a plan is an object", "the plan");
  }

  private static Document line(String text) throws IOException {
    var utf8 = text.getBytes(StandardCharsets.UTF_8);
    return DocumentReader.read(StrictParser.value(utf8), "an object", "the object");
  }

  private static LocatedValue field(String text, String name) throws IOException {
    return file(text, false).root().fields().get(name);
  }

  private static Fields object(LocatedValue value) {
    return value.object("must be an object");
  }

  private static Kept kept(Fields object) {
    return (Kept) object.fields().get("payload");
  }

  @Test
  void isTheSameTreeInBothFormats() throws IOException {
    var json =
        "{\"a\": \"x\",\n"
            + "\"b\": [1, 2.5, true, null],\n\n"
            + "\"c\": {\"d\": {}},\n"
            + "\"payload\": {\"n\": [1]}}";
    var yaml = "a: x\nb: [1, 2.5, true, null]\n\nc: {d: {}}\npayload:\n  n: [1]\n";

    assertThat(file(json, true)).isEqualTo(file(yaml, false));
    var root = file(yaml, false).root();
    assertThat(root.fields().get("c").line()).isEqualTo(4);
    assertThat(root.fields().get("b").list())
        .containsExactly(
            new Scalar(2, Kind.WHOLE, "1"),
            new Scalar(2, Kind.DECIMAL, "2.5"),
            new Scalar(2, Kind.TRUTH, "true"),
            new Scalar(2, Kind.NULL, "null"));
    assertThat(kept(root).json()).isEqualTo(Json.of("{\"n\":[1]}"));
  }

  @Test
  void keepsAPayloadOfTheDocumentAndOfObjectsInListsOnly() throws IOException {
    var root = file("payload: 1\na: {payload: 2}\nb: [{payload: 3}]", false).root();

    assertThat(kept(root).json()).isEqualTo(Json.of("1"));
    assertThat(object(root.fields().get("a")).fields().get("payload").whole()).isEqualTo(2);
    assertThat(kept(object(root.fields().get("b").list().getFirst())))
        .extracting(Kept::json)
        .isEqualTo(Json.of("3"));
  }

  @Test
  void tellsFlawsBesideWhatCanBeRead() throws IOException {
    var root = file("a: {x: 1, x: 2,\n  <<: 3, y: *z}\npayload: [yes,\n  \"\\0\"]", false).root();

    var a = object(root.fields().get("a"));
    assertThat(a.flaws())
        .containsExactly(
            new Flaw(1, "the field \"x\" is there twice"),
            new Flaw(2, "merged fields (<<) are not taken: write them out where they are needed"));
    assertThat(a.fields().get("x").whole()).isEqualTo(1);
    assertThatThrownBy(() -> a.fields().get("y").whole())
        .isInstanceOfSatisfying(
            MisfitValueException.class, misfit -> assertThat(misfit.line()).isEqualTo(2))
        .hasMessageStartingWith("aliases");
    assertThat(kept(root).flaws()).extracting(Flaw::line).containsExactly(3, 4);
  }

  @Test
  void isTakenUpToThePlaceWhereItIsMalformed() throws IOException {
    var cut = file("{\"a\": 1,\n\"b\": {\"c\": [1, 2\n}", true);

    assertThat(cut.malformed()).startsWith("line 3: ");
    var b = object(cut.root().fields().get("b"));
    assertThat(b.fields().get("c").list()).hasSize(2);
    assertThat(file("{\"a\": 1} {}", true).malformed())
        .isEqualTo("line 1: something follows the end of the plan");
    assertThat(file("{\"a\": [\n[[", true).malformed()).startsWith("line 2: ");
  }

  @Test
  void hasToBeginWithAnObjectWithoutATag() {
    assertThatThrownBy(() -> file("[]", true)).hasMessage("line 1: a plan is an object");
    assertThatThrownBy(() -> file("\n!x {a: 1}", false)).hasMessageStartingWith("line 2: tags");
    assertThatThrownBy(() -> file("", true)).hasMessage("line 1: a plan is an object");
  }

  @Test
  void hasValuesThatSayWhatTheyShouldBe() throws IOException {
    var list = field("a: [1, x]", "a");
    var text = field("a: x", "a");

    assertThatThrownBy(list::text).hasMessage("must be text in quotes");
    assertThatThrownBy(list::whole).hasMessage("must be a whole number");
    assertThatThrownBy(list::number).hasMessage("must be a number");
    assertThatThrownBy(list::truth).hasMessage("must be true or false");
    assertThatThrownBy(() -> object(list)).hasMessage("must be an object");
    assertThatThrownBy(() -> list.texts("must be names")).hasMessage("must be names");
    assertThatThrownBy(text::list).hasMessage("must be a list");
    assertThatThrownBy(text::truth).hasMessage("must be true or false");
    assertThatThrownBy(text::number).hasMessage("must be a number");
    assertThat(field("a: [x, 'y']", "a").texts("")).isEqualTo(List.of("x", "y"));
    assertThat(field("a: 3000000000", "a").number()).isEqualTo(3e9);
    assertThatThrownBy(() -> field("a: 3000000000", "a").whole())
        .hasMessage("3000000000 is too large");
  }

  /// Shapes of which a tree would be many times as large as the text. The heap of a test has 2 GiB.
  @ParameterizedTest
  @ValueSource(strings = {"1,", "{},", "{\"a\":1},"})
  void hasSoManyValuesAndNoMore(String each) throws IOException {
    var size = 16 << 20;
    var many = each.repeat(size / each.length());

    var refused = file("{\"x\":[" + many + "0]}", true);
    var kept = file("{\"payload\":[" + many + "0]}", true);

    assertThat(refused.malformed()).isEqualTo("line 1: has more than 1,500,000 values");
    assertThat(kept.malformed()).isNull();
    assertThat(kept(kept.root()).json().size()).isGreaterThan(size / 2);
  }

  /// A plan may have a million dependencies.
  @Test
  void keepsEqualTextsOnce() throws IOException {
    var root = file("a: [x1, x1]\nb: {a: x1}", false).root();

    assertThat(root.fields().get("a").texts("").getFirst())
        .isSameAs(root.fields().get("a").texts("").getLast())
        .isSameAs(object(root.fields().get("b")).fields().get("a").text());
  }

  @Test
  void withManyNamesIsRefusedAsWell() throws IOException {
    var many = new StringBuilder("{\"x\":{");
    for (int i = 0; i <= DocumentReader.MOST_VALUES; i++) {
      many.append('"').append(i).append("\":1,");
    }

    assertThat(file(many + "\"y\":1}}", true).malformed()).contains("1,500,000 values");
  }

  /// Each problem takes memory, and nobody reads thousands of them.
  @Test
  void isNotReadToItsEndIfVeryMuchOfItIsNotTaken() throws IOException {
    var many = "y: ''\nx: [" + "yes,\n".repeat(1_000_000) + "]";

    var cut = file(many, false);

    assertThat(cut.malformed())
        .isEqualTo("line 102: the rest is not read: too much before it is not taken");
    assertThat(cut.root().fields().get("x").list()).hasSize(100);
  }

  @Test
  void ofOneLineHasPlacesInCharacters() throws IOException {
    var text = "{\"payload\": { \"n\" : 1.0 },\"a\":1e999}";

    var root = line(text).root();

    assertThat(kept(root).json()).hasToString("{ \"n\" : 1.0 }");
    assertThatThrownBy(root.fields().get("a")::number)
        .hasMessage("the number 1e999 is beyond what a double holds (at character 31)");
    assertThatThrownBy(() -> line("[]"))
        .isInstanceOf(MalformedTextException.class)
        .hasMessage("an object (at character 1)");
  }

  /// As long as in YAML and every language: only a decimal becomes a double.
  @Test
  void mayHaveWholeNumbersThatNoDoubleHolds() throws IOException {
    var large = "9".repeat(617);

    assertThat(kept(file("{\"payload\":" + large + "}", true).root()).json()).hasToString(large);
    assertThat(kept(file("payload: " + large, false).root()).flaws()).isEmpty();
  }
}
