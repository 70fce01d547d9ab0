package dev.handoff.internal.plan.change;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.plan.ContentRef;
import dev.handoff.plan.PlanConflict;
import dev.handoff.plan.Resolution;
import dev.handoff.testing.RandomSeeds;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Random plans: steps that see the current files, and steps that started earlier.
@DisplayName("What random changesets come to")
class NetWalkTest {

  private static final List<String> PATHS = List.of("a", "b", "c", "d", "e");

  @Test
  void thatFollowEachOtherIsWhatTheLastOneLeft() {
    RandomSeeds.each(
        300,
        random -> {
          var walk = new Walk(random);
          for (int i = 0; i < 6; i++) {
            walk.step(walk.files, walk.files);
          }

          assertThat(walk.net().conflicts()).isEmpty();
          assertThat(walk.written(walk.start, walk.net().differences())).isEqualTo(walk.files);
        });
  }

  @Test
  void isTheSameHoweverOftenItIsComputed() {
    RandomSeeds.each(
        300,
        random -> {
          var walk = Walk.parallel(random);

          var net = walk.net();

          assertThat(walk.net().changes()).isEqualTo(net.changes());
          assertThat(walk.net().conflicts()).isEqualTo(net.conflicts());
          assertThat(walk.net().merged().keySet()).isEqualTo(net.merged().keySet());
        });
  }

  @Test
  void hasNoConflictLeftOnceAllAreResolved() {
    RandomSeeds.each(
        300,
        random -> {
          var walk = Walk.parallel(random);
          var said = new ArrayList<Resolution>();

          for (var net = walk.net(); !net.conflicts().isEmpty(); net = walk.net(said)) {
            for (var conflict : net.conflicts()) {
              said.add(walk.end(conflict));
            }
            assertThat(said).hasSizeLessThan(1_000);
          }

          walk.assertAllContentsAreThere(walk.net(said));
        });
  }

  @Test
  void canBeWrittenInTwoGoes() {
    RandomSeeds.each(
        300,
        random -> {
          var walk = Walk.parallel(random);
          var all = List.copyOf(walk.parts);
          var net = walk.net();
          walk.parts.subList(random.nextInt(all.size() + 1), all.size()).clear();
          var earlier = walk.net();

          var first = walk.written(walk.start, earlier.differences());
          var inTwoGoes = walk.written(first, net.since(earlier), net);

          assertThat(inTwoGoes).isEqualTo(walk.written(walk.start, net.differences(), net));
        });
  }

  private static final class Walk {
    private final Random random;
    private final RandomText texts;
    private final ChainSamples chains = new ChainSamples();
    private final Map<String, String> start = new TreeMap<>();
    private final Map<String, String> files = new TreeMap<>();
    private final List<LoadedChangeset> parts = new ArrayList<>();

    Walk(Random random) {
      this.random = random;
      this.texts = new RandomText(random, 0);
      for (var path : PATHS) {
        if (random.nextBoolean()) {
          start.put(path, texts.text(random.nextInt(20)));
        }
      }
      files.putAll(start);
    }

    static Walk parallel(Random random) {
      var walk = new Walk(random);
      var seen = new ArrayList<Map<String, String>>();
      seen.add(Map.copyOf(walk.start));
      for (int i = 0; i < 6; i++) {
        var view = new TreeMap<>(seen.get(random.nextInt(seen.size())));
        walk.step(view, view);
        seen.add(view);
      }
      return walk;
    }

    /// Step that sees one version of the files and commits into another one.
    void step(Map<String, String> view, Map<String, String> left) {
      var edits = new ArrayList<ChainSamples.Edit>();
      for (int i = random.nextInt(4); i >= 0; i--) {
        var path = PATHS.get(random.nextInt(PATHS.size()));
        var before = view.get(path);
        var after = after(before);
        if (before == null ? after != null : !before.equals(after)) {
          edits.add(ChainSamples.edit(path, before, after));
          if (after == null) {
            left.remove(path);
          } else {
            left.put(path, after);
          }
        }
      }
      parts.add(chains.part("c" + parts.size(), edits.toArray(new ChainSamples.Edit[0])));
    }

    private String after(String before) {
      return random.nextInt(5) == 0 ? null : texts.edited(before == null ? "" : before, 1);
    }

    CombinedChanges net() {
      return net(List.of());
    }

    CombinedChanges net(List<Resolution> said) {
      return CombinedChanges.of(parts, said, chains.contents);
    }

    Resolution end(PlanConflict.Entry conflict) {
      return switch (random.nextInt(3)) {
        case 0 -> Resolution.ours(conflict, "test", ChainSamples.AT);
        case 1 -> Resolution.theirs(conflict, "test", ChainSamples.AT);
        default ->
            Resolution.content(
                conflict, chains.contents.put(texts.text(3)), "test", ChainSamples.AT);
      };
    }

    Map<String, String> written(Map<String, String> to, List<FileEdit> files) {
      return written(to, files, net());
    }

    /// Writes like an apply: overwrites only expected content.
    Map<String, String> written(Map<String, String> to, List<FileEdit> files, CombinedChanges net) {
      var written = new TreeMap<>(to);
      for (var file : files) {
        assertThat(written.get(file.path())).isEqualTo(text(file.before(), net));
        if (file.after() == null) {
          written.remove(file.path());
        } else {
          written.put(file.path(), text(file.after(), net));
        }
      }
      return written;
    }

    private String text(ContentRef ref, CombinedChanges net) {
      if (ref == null) {
        return null;
      }
      var content = new HashMap<>(net.over(chains.contents).read(List.of(ref.sha256())));
      if (content.isEmpty()) {
        content.putAll(net().over(chains.contents).read(List.of(ref.sha256())));
      }
      return new String(content.get(ref.sha256()), StandardCharsets.UTF_8);
    }

    void assertAllContentsAreThere(CombinedChanges net) {
      for (var change : net.changes()) {
        if (change.now() != null) {
          assertThat(net.over(chains.contents).read(List.of(change.now().sha256()))).hasSize(1);
        }
      }
    }
  }
}
