package dev.handoff.internal.plan;

import static dev.handoff.internal.plan.PlanSamples.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.internal.plan.change.BodyCodec;
import dev.handoff.internal.plan.change.ChainHash;
import dev.handoff.internal.plan.change.ChangeEntry;
import dev.handoff.internal.plan.change.Changeset;
import dev.handoff.internal.plan.change.ChangesetAuthor;
import dev.handoff.internal.plan.change.MapContents;
import dev.handoff.internal.plan.change.SetBody;
import dev.handoff.plan.ChainVerdict;
import dev.handoff.plan.ContentRef;
import dev.handoff.plan.Resolution;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The book of a plan")
class LedgerAuditTest {

  private final MapContents contents = new MapContents();
  private final ContentRef decided = contents.put("decided");
  private final List<Changeset> chain = chain("one", "two", "three");

  /// Chain of changesets that each create a file with this text.
  private List<Changeset> chain(String... texts) {
    var sets = new ArrayList<Changeset>();
    var link = ChainHash.NONE;
    for (var text : texts) {
      var id = "c" + (sets.size() + 1);
      var entry = ChangeEntry.after(ChainHash.first(id), text, null, contents.put(text), NOW);
      var body = contents.put(BodyCodec.encode(new SetBody(List.of(entry), List.of())));
      sets.add(
          Changeset.after(
              link, id, "label", ChangesetAuthor.caller("ann"), NOW, 1, 0, body.sha256()));
      link = sets.getLast().hash();
    }
    return sets;
  }

  private ChainVerdict verdict(List<Changeset> now) {
    var resolution =
        new Resolution("a.txt", null, "1", "2", Resolution.Choice.CONTENT, decided, "ann", NOW);
    var applied =
        List.of(applied(1, "/srv/one", chain.getFirst()), applied(3, "/srv/all", chain.getLast()));
    var book = new ChangeLedger(3, List.of(), now, List.of(resolution), 2, applied, null);
    return LedgerAudit.of(book, contents);
  }

  private static WrittenApply applied(int sets, String target, Changeset last) {
    return new WrittenApply(sets, target, sets, last.hash(), sets, NOW);
  }

  private ChainVerdict.Altered altered(List<Changeset> now) {
    return (ChainVerdict.Altered) verdict(now);
  }

  @Test
  void isIntactAsItWasWritten() {
    assertThat(verdict(chain)).isEqualTo(new ChainVerdict.Intact(3, 3, 3, chain.getLast().hash()));
    assertThat(LedgerAudit.of(ChangeLedger.EMPTY, contents))
        .isInstanceOf(ChainVerdict.Intact.class);
  }

  @Test
  void tellsThatAChangesetWasAltered() {
    contents.lose(chain.get(1).body());

    assertThat(altered(chain).changeset()).isEqualTo("c2");
  }

  /// Both chains are intact in themselves.
  @Test
  void tellsThatChangesetsThatWereAppliedAreGoneOrOthers() {
    assertThat(altered(chain.subList(0, 2)).what())
        .startsWith("it is not the chain of which 3 changesets were written to /srv/all");
    assertThat(altered(chain("one", "another", "three")).what()).contains("/srv/all");
    assertThat(altered(List.of()).what()).contains("/srv/one");
  }

  @Test
  void tellsThatAContentIsGoneOrAnotherThatAConflictWasDecidedWith() {
    contents.damage(decided.sha256(), new byte[] {1});
    assertThat(altered(chain).path()).isEqualTo("a.txt");

    contents.lose(decided.sha256());
    assertThat(altered(chain).what()).contains(decided.sha256());
  }

  @Test
  void isIntactIfAConflictWasDecidedWithoutAContent() {
    var ours = new Resolution("a.txt", null, "1", "2", Resolution.Choice.OURS, null, "ann", NOW);
    var book = new ChangeLedger(3, List.of(), chain, List.of(ours), 0, List.of(), null);

    assertThat(LedgerAudit.of(book, contents)).isInstanceOf(ChainVerdict.Intact.class);
  }

  @Test
  void tellsThatAContentHasAnotherLengthThanItHad() {
    var other = new ContentRef(decided.sha256(), decided.bytes() + 1);
    var resolution =
        new Resolution("a.txt", null, "1", "2", Resolution.Choice.CONTENT, other, "ann", NOW);
    var book = new ChangeLedger(3, List.of(), chain, List.of(resolution), 0, List.of(), null);

    assertThat(LedgerAudit.of(book, contents)).isInstanceOf(ChainVerdict.Altered.class);
  }

  @Test
  void tellsThatNothingCanHaveBeenWrittenOfNoChangeset() {
    var none = List.of(applied(0, "/srv/none", chain.getFirst()));
    var book = new ChangeLedger(3, List.of(), chain, List.of(), 1, none, null);

    assertThat(LedgerAudit.of(book, contents))
        .isInstanceOfSatisfying(
            ChainVerdict.Altered.class,
            altered -> assertThat(altered.what()).contains("/srv/none"));
  }
}
