package dev.handoff.internal.plan.change;

import static dev.handoff.internal.plan.change.ChainSamples.edit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.plan.ContentRef;
import dev.handoff.plan.PlanConflict;
import dev.handoff.plan.Resolution;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A file and a directory in one place")
class FileDirectoryClashesTest {

  private final ChainSamples chains = new ChainSamples();
  private final List<LoadedChangeset> parts = new ArrayList<>();
  private final List<Resolution> said = new ArrayList<>();

  private void step(String changeset, ChainSamples.Edit... edits) {
    parts.add(chains.part(changeset, edits));
  }

  private CombinedChanges net() {
    return CombinedChanges.of(parts, said, chains.contents);
  }

  /// Final content of each file; null for deleted files.
  private Map<String, @Nullable String> files() {
    var net = net();
    var files = new LinkedHashMap<String, @Nullable String>();
    net.changes().forEach(change -> files.put(change.path(), text(net, change.now())));
    return files;
  }

  private @Nullable String text(CombinedChanges net, @Nullable ContentRef content) {
    if (content == null) {
      return null;
    }
    var sha256 = content.sha256();
    var bytes = net.over(chains.contents).read(List.of(sha256)).get(sha256);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private PlanConflict.Entry conflict() {
    assertThat(net().conflicts()).hasSize(1);
    return net().conflicts().getFirst();
  }

  private void fileFirst() {
    step("c1", edit("dd", null, "file"));
    step("c2", edit("dd/x", null, "x"), edit("dd/y/z", null, "z"));
    step("c3", edit("dd.txt", null, "beside"), edit("ddd", null, "beside"));
  }

  private void directoryFirst() {
    step("c1", edit("dd/x", null, "x"));
    step("c2", edit("dd", null, "file"));
  }

  @Test
  void areAConflictInWhichWhatCameFirstStays() {
    fileFirst();

    var conflict = conflict();

    assertThat(conflict.path()).isEqualTo("dd");
    assertThat(conflict.why()).isEqualTo(PlanConflict.Why.FILE_AND_DIRECTORY);
    assertThat(conflict.ancestor()).isNull();
    assertThat(conflict.oursFrom()).isEqualTo("c1");
    assertThat(conflict.theirsFrom()).isEqualTo("c2");
    assertThat(text(net(), conflict.ours())).isEqualTo("file");
    assertThat(text(net(), conflict.theirs()).lines())
        .satisfiesExactly(
            line -> assertThat(line).startsWith("dd/x: 1 bytes with SHA-256 "),
            line -> assertThat(line).startsWith("dd/y/z: 1 bytes with SHA-256 "));
    assertThat(files())
        .containsExactly(
            Map.entry("dd", "file"), Map.entry("dd.txt", "beside"), Map.entry("ddd", "beside"));
  }

  @Test
  void areAConflictAlsoIfTheDirectoryCameFirst() {
    directoryFirst();

    var conflict = conflict();

    assertThat(conflict.oursFrom()).isEqualTo("c1");
    assertThat(text(net(), conflict.ours())).startsWith("dd/x: ");
    assertThat(text(net(), conflict.theirs())).isEqualTo("file");
    assertThat(files()).containsExactly(Map.entry("dd/x", "x"));
  }

  @Test
  void endAsSomebodySays() {
    fileFirst();
    var conflict = conflict();

    said.add(Resolution.theirs(conflict, "ann", Instant.EPOCH));
    assertThat(net().conflicts()).isEmpty();
    assertThat(files()).containsOnlyKeys("dd.txt", "dd/x", "dd/y/z", "ddd");

    said.add(Resolution.ours(conflict, "ann", Instant.EPOCH));
    assertThat(net().conflicts()).isEmpty();
    assertThat(files()).containsOnlyKeys("dd", "dd.txt", "ddd").containsEntry("dd", "file");

    said.add(Resolution.content(conflict, chains.contents.put("else"), "ann", Instant.EPOCH));
    assertThat(files()).containsOnlyKeys("dd", "dd.txt", "ddd").containsEntry("dd", "else");
  }

  @Test
  void endAsSomebodySaysAlsoIfTheDirectoryCameFirst() {
    directoryFirst();
    var conflict = conflict();

    said.add(Resolution.ours(conflict, "ann", Instant.EPOCH));
    assertThat(files()).containsOnlyKeys("dd/x");

    said.add(Resolution.theirs(conflict, "ann", Instant.EPOCH));
    assertThat(files()).containsOnlyKeys("dd");
  }

  @Test
  void areDecidedAgainWhenThereIsMoreInTheDirectory() {
    fileFirst();
    said.add(Resolution.ours(conflict(), "ann", Instant.EPOCH));

    step("c4", edit("dd/more", null, "more"));

    assertThat(text(net(), conflict().theirs())).contains("dd/more: ");
  }

  @Test
  void areNoneWhereOneMakesRoomForTheOther() {
    step("c1", edit("dd", null, "file"), edit("old/x", "x", null));
    step("c2", edit("dd", "file", null), edit("dd/x", null, "x"), edit("old", null, "file"));

    assertThat(net().conflicts()).isEmpty();
    assertThat(files()).containsOnlyKeys("dd/x", "old", "old/x").containsEntry("old/x", null);
  }

  @Test
  void waitForWhatElseIsInConflictInTheFile() {
    step("c1", edit("dd", "base", "ours"));
    step("c2", edit("dd", "base", "theirs"), edit("dd/x", null, "x"));

    assertThat(conflict().why()).isEqualTo(PlanConflict.Why.SAME_LINES);
    assertThat(files()).containsExactly(Map.entry("dd", "ours"));
    said.add(Resolution.theirs(conflict(), "ann", Instant.EPOCH));

    assertThat(conflict().why()).isEqualTo(PlanConflict.Why.FILE_AND_DIRECTORY);
    said.add(Resolution.theirs(conflict(), "ann", Instant.EPOCH));
    assertThat(net().conflicts()).isEmpty();
  }

  @Test
  void mayBeWithinEachOther() {
    step("c1", edit("a", null, "file"));
    step("c2", edit("a/b", null, "file"));
    step("c3", edit("a/b/c", null, "file"));

    assertThat(conflict().path()).isEqualTo("a");
    assertThat(files()).containsOnlyKeys("a");
    said.add(Resolution.theirs(conflict(), "ann", Instant.EPOCH));
    assertThat(conflict().path()).isEqualTo("a/b");
    said.add(Resolution.theirs(conflict(), "ann", Instant.EPOCH));

    assertThat(net().conflicts()).isEmpty();
    assertThat(files()).containsOnlyKeys("a/b/c");
  }

  /// Merged content is not in the store, but must be available to decide the conflict.
  @Test
  void showWhatWasMerged() {
    var base = "1\n2\n3\n4\n5\n";
    step("c1", edit("dd", base, "one\n2\n3\n4\n5\n"));
    step("c2", edit("old", "x", null));
    step("c3", edit("dd", base, "1\n2\n3\n4\nfive\n"));
    step("c4", edit("dd/x", null, "x"));

    assertThat(text(net(), conflict().ours())).isEqualTo("one\n2\n3\n4\nfive\n");
  }
}
