package dev.handoff.internal.plan.apply;

import dev.handoff.cancel.CancellationToken;
import dev.handoff.internal.plan.change.ChainHash;
import dev.handoff.internal.plan.change.ContentReader;
import dev.handoff.internal.plan.change.FileEdit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Staging: writes all new contents, directories and the journal into the staging directory, and
/// syncs them to the disk.
record Staging(StagedMoves moves, ContentReader contents, CancellationToken stop) {

  /// Memory limit for contents, in bytes.
  private static final long SLICE = 16L << 20;

  private static final int MOST_IN_SLICE = 1_000;

  void all(ApplyJournal journal) throws IOException {
    moves.tree().root().sync();
    var slice = new ArrayList<Integer>();
    long bytes = 0;
    for (int i = 0; i < journal.edits().size(); i++) {
      var after = journal.edits().get(i).after();
      if (after == null) {
        continue;
      }
      if (!slice.isEmpty() && (bytes + after.bytes() > SLICE || slice.size() == MOST_IN_SLICE)) {
        write(journal, slice);
        slice.clear();
        bytes = 0;
      }
      slice.add(i);
      bytes += after.bytes();
    }
    write(journal, slice);
    for (int i = 0; i < journal.made().size(); i++) {
      moves.makeDirectory(StagingNames.made(i));
    }
    moves.staging().write(StagingNames.JOURNAL, journal.encoded(), null);
    moves.staging().sync();
    stop.throwIfCancelled();
  }

  private void write(ApplyJournal journal, List<Integer> slice) throws IOException {
    stop.throwIfCancelled();
    var wanted =
        slice.stream()
            .map(i -> journal.edits().get(i).after())
            .map(after -> after == null ? "" : after.sha256())
            .collect(Collectors.toSet());
    var read = contents.read(wanted);
    for (int i : slice) {
      stop.throwIfCancelled();
      var edit = journal.edits().get(i);
      moves.staging().write(StagingNames.content(i), content(edit, read), original(edit));
    }
  }

  private static byte[] content(FileEdit edit, Map<String, byte[]> read) throws IOException {
    var after = edit.after();
    var content = after == null ? null : read.get(after.sha256());
    if (after == null || content == null) {
      throw new IOException("the new content of \"" + edit.path() + "\" is not in the store");
    }
    if (content.length != after.bytes() || !ChainHash.of(content).equals(after.sha256())) {
      throw new IOException("the new content of \"" + edit.path() + "\" does not fit its SHA-256");
    }
    return content;
  }

  private @Nullable FileStat original(FileEdit edit) throws IOException {
    if (edit.before() == null) {
      return null;
    }
    var place = FilePath.of(edit.path());
    return moves.tree().in(place.directories(), directory -> directory.look(place.name()));
  }
}
