package dev.handoff.plan.change;

import dev.handoff.job.JobId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Makes chains of changesets.
final class Chains {

  static final Instant AT = Instant.parse("2026-11-19T10:00:00.123Z");

  final MapContents contents = new MapContents();
  final List<Changeset> chain = new ArrayList<>();
  final List<SetBody> bodies = new ArrayList<>();

  /// What a file was changed from and to.
  record Edit(String path, @Nullable String before, @Nullable String after) {}

  static Edit edit(String path, @Nullable String before, @Nullable String after) {
    return new Edit(path, before, after);
  }

  String head() {
    return chain.isEmpty() ? Seal.NONE : chain.getLast().hash();
  }

  Changeset commit(String id, Edit... edits) {
    return commit(id, List.of(edits), 0);
  }

  Changeset commit(String id, List<Edit> edits, int decisions) {
    var decided = new ArrayList<Decided>();
    for (int i = 0; i < decisions; i++) {
      decided.add(new Decided("decision " + i, AT));
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

  static Maker maker(int number) {
    return number % 2 == 0
        ? Maker.attempt(new JobId("01K9XVW5ZB0000000000000000"), 1 + number, "step/" + number)
        : Maker.caller("caller " + number);
  }

  List<Entry> entries(String id, List<Edit> edits) {
    var entries = new ArrayList<Entry>();
    var seal = Seal.first(id);
    for (var edit : edits) {
      var entry =
          Entry.after(
              seal, edit.path(), contents.put(edit.before()), contents.put(edit.after()), AT);
      entries.add(entry);
      seal = entry.seal();
    }
    return entries;
  }

  Part part(String id, Edit... edits) {
    return new Part(id, "label of " + id, Maker.caller("test"), entries(id, List.of(edits)));
  }

  Verdict verify() {
    return Verify.verify(chain, head(), contents);
  }
}
