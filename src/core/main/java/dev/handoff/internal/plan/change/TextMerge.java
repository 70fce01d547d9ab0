package dev.handoff.internal.plan.change;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Optional;
import org.eclipse.jgit.diff.DiffAlgorithm;
import org.eclipse.jgit.diff.Edit;
import org.eclipse.jgit.diff.EditList;
import org.eclipse.jgit.diff.Sequence;
import org.eclipse.jgit.diff.SequenceComparator;
import org.eclipse.jgit.merge.MergeAlgorithm;

/// Three-way merge of texts, line by line.
final class TextMerge {

  private TextMerge() {}

  /// Merges both changes; empty if they touch the same or adjacent lines.
  static Optional<byte[]> of(byte[] ancestor, byte[] ours, byte[] theirs) {
    if (Arrays.equals(ours, theirs) || Arrays.equals(ancestor, theirs)) {
      return Optional.of(ours);
    }
    if (Arrays.equals(ancestor, ours)) {
      return Optional.of(theirs);
    }
    TextLines[] sides = {new TextLines(ancestor), new TextLines(ours), new TextLines(theirs)};
    var result = new MergeAlgorithm(new ByLines()).merge(SAME, sides[0], sides[1], sides[2]);
    if (result.containsConflicts()) {
      return Optional.empty();
    }
    var merged = new ByteArrayOutputStream(Math.max(ours.length, theirs.length));
    for (var chunk : result) {
      var side = sides[chunk.getSequenceIndex()];
      if (chunk.getEnd() > chunk.getBegin()) {
        int from = side.start(chunk.getBegin());
        merged.write(side.content, from, side.end(chunk.getEnd() - 1) - from);
      }
    }
    return Optional.of(merged.toByteArray());
  }

  private static final SequenceComparator<TextLines> SAME =
      new SequenceComparator<>() {
        @Override
        public boolean equals(TextLines a, int line, TextLines b, int other) {
          return a.isSame(line, b, other);
        }

        @Override
        public int hash(TextLines lines, int line) {
          return lines.hash(line);
        }
      };

  /// Diff algorithm of [Diff], so that merges and diffs agree.
  private static final class ByLines extends DiffAlgorithm {

    @Override
    public <S extends Sequence> EditList diff(SequenceComparator<? super S> same, S a, S b) {
      return diffNonCommon(same, a, b);
    }

    @Override
    public <S extends Sequence> EditList diffNonCommon(
        SequenceComparator<? super S> same, S a, S b) {
      var edits = new EditList();
      for (var block : LineDiff.of((TextLines) (Sequence) a, (TextLines) (Sequence) b).blocks()) {
        edits.add(new Edit(block.from(), block.to(), block.newFrom(), block.newTo()));
      }
      return edits;
    }
  }
}
