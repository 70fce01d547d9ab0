package dev.handoff.internal.plan.change;

import dev.handoff.JobId;
import dev.handoff.plan.ChainVerdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Builder of changeset chains.
final class ChainSamples {

  static final Instant AT = Instant.parse("2026-11-19T10:00:00.123Z");

  final MapContents contents = new MapContents();
  final List<Changeset> chain = new ArrayList<>();
  final List<SetBody> bodies = new ArrayList<>();

  /// Content of a file before and after a change.
  record Edit(String path, @Nullable String before, @Nullable String after) {}

  static Edit edit(String path, @Nullable String before, @Nullable String after) {
    return new Edit(path, before, after);
  }

  String head() {
    return chain.isEmpty() ? ChainHash.NONE : chain.getLast().hash();
  }

  Changeset commit(String id, Edit... edits) {
    return commit(id, List.of(edits), 0);
  }

  Changeset commit(String id, List<Edit> edits, int decisions) {
    var decided = new ArrayList<AttemptDecision>();
    for (int i = 0; i < decisions; i++) {
      decided.add(new AttemptDecision("decision " + i, AT));
    }
    return commit(id, new SetBody(entries(id, edits), decided));
  }

  Changeset commit(String id, SetBody body) {
    var stored = contents.put(BodyCodec.encode(body));
    var set =
        Changeset.after(
            head(),
            id,
            "label of " + id,
            maker(chain.size()),
            AT.plusSeconds(chain.size()),
            body.entries().size(),
            body.decisions().size(),
            stored.sha256());
    chain.add(set);
    bodies.add(body);
    return set;
  }

  static ChangesetAuthor maker(int number) {
    return number % 2 == 0
        ? ChangesetAuthor.attempt(
            new JobId("01K9XVW5ZB0000000000000000"), 1 + number, "step/" + number)
        : ChangesetAuthor.caller("caller " + number);
  }

  List<ChangeEntry> entries(String id, List<Edit> edits) {
    var entries = new ArrayList<ChangeEntry>();
    var seal = ChainHash.first(id);
    for (var edit : edits) {
      var entry =
          ChangeEntry.after(
              seal, edit.path(), contents.put(edit.before()), contents.put(edit.after()), AT);
      entries.add(entry);
      seal = entry.seal();
    }
    return entries;
  }

  LoadedChangeset part(String id, Edit... edits) {
    return new LoadedChangeset(
        id, "label of " + id, ChangesetAuthor.caller("test"), entries(id, List.of(edits)));
  }

  ChainVerdict verify() {
    return ChainVerifier.verify(chain, head(), contents);
  }
}
