package dev.handoff.plan.apply;

import dev.handoff.cancel.CancellationToken;
import dev.handoff.plan.change.Contents;
import dev.handoff.plan.change.Seal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Puts all that is to be put into place into the staging directory first, and waits for the disk.
record Preparing(Places places, Contents contents, CancellationToken stop) {

  /// What is held in memory at once.
  private static final long SLICE = 16L << 20;

  private static final int MOST_IN_SLICE = 1_000;

  void all(Journal journal) throws IOException {
    places.tree().root().sync();
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
      places.makeDirectory(Names.made(i));
    }
    places.staging().write(Names.JOURNAL, journal.encoded(), null);
    places.staging().sync();
    stop.throwIfCancelled();
  }

  private void write(Journal journal, List<Integer> slice) throws IOException {
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
      places.staging().write(Names.content(i), content(edit, read), original(edit));
    }
  }

  private static byte[] content(FileEdit edit, Map<String, byte[]> read) throws IOException {
    var after = edit.after();
    var content = after == null ? null : read.get(after.sha256());
    if (after == null || content == null) {
      throw new IOException("the new content of \"" + edit.path() + "\" is not in the store");
    }
    if (content.length != after.bytes() || !Seal.of(content).equals(after.sha256())) {
      throw new IOException("the new content of \"" + edit.path() + "\" does not fit its SHA-256");
    }
    return content;
  }

  private @Nullable Seen original(FileEdit edit) throws IOException {
    if (edit.before() == null) {
      return null;
    }
    var place = FilePath.of(edit.path());
    return places.tree().in(place.directories(), directory -> directory.look(place.name()));
  }
}
