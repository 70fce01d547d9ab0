package dev.handoff.plan.change;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Optional;
import org.eclipse.jgit.diff.DiffAlgorithm;
import org.eclipse.jgit.diff.Edit;
import org.eclipse.jgit.diff.EditList;
import org.eclipse.jgit.diff.Sequence;
import org.eclipse.jgit.diff.SequenceComparator;
import org.eclipse.jgit.merge.MergeAlgorithm;

/// Puts two texts that come from one ancestor together, line by line.
final class Merge {

  private Merge() {}

  /// Both changes in one text; empty if they changed the same lines, or lines that touch.
  static Optional<byte[]> of(byte[] ancestor, byte[] ours, byte[] theirs) {
    if (Arrays.equals(ours, theirs) || Arrays.equals(ancestor, theirs)) {
      return Optional.of(ours);
    }
    if (Arrays.equals(ancestor, ours)) {
      return Optional.of(theirs);
    }
    Lines[] sides = {new Lines(ancestor), new Lines(ours), new Lines(theirs)};
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

  private static final SequenceComparator<Lines> SAME =
      new SequenceComparator<>() {
        @Override
        public boolean equals(Lines a, int line, Lines b, int other) {
          return a.isSame(line, b, other);
        }

        @Override
        public int hash(Lines lines, int line) {
          return lines.hash(line);
        }
      };

  /// The differences of which a [Diff] tells, and no others.
  private static final class ByLines extends DiffAlgorithm {

    @Override
    public <S extends Sequence> EditList diff(SequenceComparator<? super S> same, S a, S b) {
      return diffNonCommon(same, a, b);
    }

    @Override
    public <S extends Sequence> EditList diffNonCommon(
        SequenceComparator<? super S> same, S a, S b) {
      var edits = new EditList();
      for (var block : LineDiff.of((Lines) (Sequence) a, (Lines) (Sequence) b).blocks()) {
        edits.add(new Edit(block.from(), block.to(), block.newFrom(), block.newTo()));
      }
      return edits;
    }
  }
}
