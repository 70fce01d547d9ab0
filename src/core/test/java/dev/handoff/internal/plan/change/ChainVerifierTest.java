package dev.handoff.internal.plan.change;

import static dev.handoff.internal.plan.change.ChainSamples.edit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import dev.handoff.plan.ChainVerdict;
import dev.handoff.plan.ContentRef;
import dev.handoff.plan.UnreadableChanges;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A chain of changesets")
class ChainVerifierTest {

  private final ChainSamples chains = new ChainSamples();

  @Test
  void isIntactAsItWasCommitted() {
    threeSets();

    assertThat(chains.verify()).isEqualTo(new ChainVerdict.Intact(3, 5, 6, chains.head()));
    assertThat(chains.contents.asked).hasSize(2);
  }

  @Test
  void isIntactWithoutAnySet() {
    assertThat(chains.verify()).isEqualTo(new ChainVerdict.Intact(0, 0, 0, ChainHash.NONE));
  }

  @Test
  void tellsWhichEntryOfADamagedBodyIsTheFirst() {
    threeSets();
    var body = BodyCodec.encode(chains.bodies.get(0));
    int at = new String(body, StandardCharsets.ISO_8859_1).indexOf("path/two");
    body[at] ^= 1;
    chains.contents.damage(chains.chain.get(0).body(), body);

    var altered = altered();

    assertThat(altered.changeset()).isEqualTo("c1");
    assertThat(altered.label()).isEqualTo("label of c1");
    assertThat(altered.entry()).isEqualTo(2);
    assertThat(altered.path()).isEqualTo("qath/two");
    assertThat(altered.what()).startsWith("it does not fit its seal");
  }

  @Test
  void tellsWhichEntryCannotBeRead() {
    threeSets();
    var body = BodyCodec.encode(chains.bodies.get(0));
    int at = new String(body, StandardCharsets.ISO_8859_1).indexOf("path/three");
    chains.contents.damage(chains.chain.get(0).body(), Arrays.copyOf(body, at));

    var altered = altered();

    assertThat(altered.entry()).isEqualTo(3);
    assertThat(altered.path()).isNull();
    assertThat(altered.what()).isEqualTo("it is missing, or cannot be read; there were 3 entries");
  }

  @ParameterizedTest
  @ValueSource(strings = {"path", "at", "seal", "after/sha256"})
  void tellsWhichEntryLacksSomething(String field) throws IOException {
    threeSets();
    lose("/entries/1/" + field);

    assertThat(altered().changeset()).isEqualTo("c1");
    assertThat(altered().entry()).isEqualTo(2);
    assertThatThrownBy(() -> ChangesetLoader.load(chains.chain, chains.contents))
        .isInstanceOf(UnreadableChanges.class);
  }

  /// Removes a field from the first body.
  private void lose(String field) throws IOException {
    var mapper = new CBORMapper();
    var body = mapper.readTree(BodyCodec.encode(chains.bodies.getFirst()));
    var at = JsonPointer.compile(field);
    ((ObjectNode) body.at(at.head())).remove(at.last().getMatchingProperty());
    chains.contents.damage(chains.chain.getFirst().body(), mapper.writeValueAsBytes(body));
  }

  @Test
  void tellsThatASetSaysItHasFewerEntriesThanNone() {
    var set = chains.commit("c1", ChainSamples.edit("a", null, "1"));
    chains.chain.set(
        0,
        Changeset.after(
            ChainHash.NONE,
            "c1",
            set.label(),
            set.by(),
            set.at(),
            -1,
            set.decisions(),
            set.body()));

    assertThat(altered().what()).isEqualTo("it says that it has -1 entries");
  }

  @Test
  void tellsThatADecisionWasAltered() {
    threeSets();
    var set = chains.chain.get(1);
    var body = chains.bodies.get(1);
    var other = new SetBody(body.entries(), List.of(new AttemptDecision("other", ChainSamples.AT)));
    chains.contents.damage(set.body(), BodyCodec.encode(other));

    assertThat(altered())
        .isEqualTo(ChainVerifier.of(set, "its body was altered, though none of its entries"));
  }

  @Test
  void tellsThatABodyIsMissing() {
    threeSets();
    chains.contents.lose(chains.chain.get(1).body());

    assertThat(altered())
        .isEqualTo(ChainVerifier.of(chains.chain.get(1), "its body is missing, or cannot be read"));
  }

  @Test
  void tellsThatAContentIsMissingOrAltered() {
    threeSets();
    var two = chains.bodies.get(0).entries().get(1).after();
    chains.contents.lose(two.sha256());
    var last = chains.bodies.get(2).entries().get(0).after();
    chains.contents.damage(last.sha256(), new byte[] {1});

    assertThat(altered())
        .isEqualTo(
            ChainVerifier.of(
                chains.chain.get(0),
                2,
                "path/two",
                "its content " + two.sha256() + " is missing, or cannot be read"));
    chains.contents.put("2");
    assertThat(altered())
        .isEqualTo(
            ChainVerifier.of(
                chains.chain.get(2),
                1,
                "path/two",
                "its content " + last.sha256() + " was altered"));
  }

  @Test
  void tellsThatAnEntryWasRemovedFromOrAddedAtTheEndOfASet() {
    threeSets();
    var set = chains.chain.get(0);
    var body = chains.bodies.get(0);
    chains.contents.damage(
        set.body(), BodyCodec.encode(new SetBody(body.entries().subList(0, 2), List.of())));
    assertThat(altered().entry()).isEqualTo(3);

    var more = new ArrayList<>(body.entries());
    more.add(
        ChangeEntry.after(
            more.getLast().seal(), "more", null, chains.contents.put("1"), ChainSamples.AT));
    chains.contents.damage(set.body(), BodyCodec.encode(new SetBody(more, List.of())));

    assertThat(altered())
        .isEqualTo(ChainVerifier.of(set, 4, "more", "it was added; there were 3 entries"));
  }

  @Test
  void tellsThatItsEndWasRemovedOrLengthened() {
    threeSets();
    var head = chains.head();
    var last = chains.chain.removeLast();

    assertThat(altered(head))
        .isEqualTo(
            ChainVerifier.of(
                chains.chain.getLast(),
                "the chain ends with it, but its head is another one: the last changesets were"
                    + " removed or rewritten"));
    chains.chain.add(last);
    var added = chains.commit("c4", edit("x", null, "1"));
    assertThat(altered(head))
        .isEqualTo(ChainVerifier.of(added, "it was added behind the end of the chain"));
    assertThat(altered(ChainHash.NONE).what())
        .isEqualTo("it was added to a chain that has no changesets");
    chains.chain.clear();
    assertThat(altered(head))
        .isEqualTo(
            new ChainVerdict.Altered(
                null, null, null, null, "all changesets are gone: there is only the head"));
  }

  @Test
  void tellsThatItWasRewrittenBesideItsCounts() {
    var entries = chains.entries("c1", List.of(edit("a", null, "1")));
    var decided = List.of(new AttemptDecision("yes", ChainSamples.AT));
    var body = chains.contents.put(BodyCodec.encode(new SetBody(entries, decided)));
    chains.chain.add(set("c1", 1, 2, body.sha256()));

    assertThat(altered().what()).isEqualTo("it has 1 decisions, and there were 2");

    chains.chain.set(0, set("c1", 0, 0, chains.contents.put("no body").sha256()));
    assertThat(altered().what()).startsWith("its body cannot be read: ");
  }

  @Test
  void tellsThatALengthIsNotTheContents() {
    var content = chains.contents.put("1");
    var longer = new ContentRef(content.sha256(), 2);
    chains.commit(
        "c1",
        new SetBody(
            List.of(ChangeEntry.after(ChainHash.first("c1"), "a", null, longer, ChainSamples.AT)),
            List.of()));

    assertThat(altered().what())
        .isEqualTo("its content " + content.sha256() + " is 1 bytes long, not 2");
  }

  @Test
  void isLookedAtInPiecesOfAFewMegabytes() {
    for (int i = 0; i < 12; i++) {
      chains.commit("c" + i, edit("a", null, i + "x".repeat(4 << 20)));
    }

    assertThat(chains.verify()).isInstanceOf(ChainVerdict.Intact.class);
    assertThat(chains.contents.asked).hasSize(1 + 4);
  }

  @Test
  void isReadWithItsChangesetsInOrder() {
    threeSets();

    var parts = ChangesetLoader.load(chains.chain, chains.contents);

    assertThat(parts).extracting(LoadedChangeset::changeset).containsExactly("c1", "c2", "c3");
    assertThat(parts)
        .extracting(LoadedChangeset::entries)
        .containsExactlyElementsOf(chains.bodies.stream().map(SetBody::entries).toList());
    assertThat(parts.getFirst().by()).isEqualTo(ChainSamples.maker(0));
    assertThat(chains.contents.asked).hasSize(1);
  }

  @Test
  void isNotReadWithABodyThatIsMissingOrDamaged() {
    threeSets();
    var body = chains.chain.get(1).body();
    chains.contents.damage(body, new byte[] {1});

    assertThatThrownBy(() -> ChangesetLoader.load(chains.chain, chains.contents))
        .isInstanceOf(UnreadableChanges.class)
        .hasMessageStartingWith("The body of changeset c2 (label of c2) (" + body + ") is damaged")
        .hasMessageEndingWith("verify the plan to see all that was altered");
    chains.contents.lose(body);
    assertThatThrownBy(() -> ChangesetLoader.load(chains.chain, chains.contents))
        .isInstanceOf(UnreadableChanges.class)
        .hasMessageStartingWith(
            "The body of changeset c2 (label of c2) is missing in the store (" + body + ")");
  }

  @Test
  void isNotReadFromAStoreThatGivesOtherBytes() {
    threeSets();
    var other = BodyCodec.encode(new SetBody(List.of(), List.of()));
    var lying = chains.contents.with(Map.of(chains.chain.get(1).body(), other));

    assertThatThrownBy(() -> ChangesetLoader.load(chains.chain, lying))
        .isInstanceOf(UnreadableChanges.class)
        .hasMessageContaining("changeset c2 (label of c2) is another one than was stored");
    chains.chain.set(0, set("c1", 0, 0, chains.contents.put("no body").sha256()));
    assertThatThrownBy(() -> ChangesetLoader.load(chains.chain, chains.contents))
        .isInstanceOf(UnreadableChanges.class)
        .hasMessageContaining("changeset c1 (label of c1) cannot be read");
  }

  private Changeset set(String id, int changes, int decisions, String body) {
    return Changeset.after(
        ChainHash.NONE,
        id,
        "label of " + id,
        ChangesetAuthor.caller("x"),
        ChainSamples.AT,
        changes,
        decisions,
        body);
  }

  private void threeSets() {
    chains.commit(
        "c1",
        edit("path/one", null, "1"),
        edit("path/two", "0", "2"),
        edit("path/three", "9", null));
    chains.commit("c2", List.of(edit("path/one", "1", "one")), 1);
    chains.commit("c3", edit("path/two", "2", "two"));
  }

  private ChainVerdict.Altered altered() {
    return altered(chains.head());
  }

  private ChainVerdict.Altered altered(String head) {
    return (ChainVerdict.Altered) ChainVerifier.verify(chains.chain, head, chains.contents);
  }
}
