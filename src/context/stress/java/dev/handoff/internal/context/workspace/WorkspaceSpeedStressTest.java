package dev.handoff.internal.context.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import dev.handoff.context.WorkspaceView;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Limits that a machine with two processors keeps easily, even under other load.
@DisplayName("A workspace of 5,000 files")
class WorkspaceSpeedStressTest {

  private static final int FILES = 5_000;

  @TempDir static Path root;
  @TempDir static Path data;

  private static IndexedSources sources;
  private static WorkspaceIndex index;
  private static WorkspaceView view;
  private static double filesPerSecond;

  @BeforeAll
  static void makeIndexes() throws IOException {
    SourceTree.make(root, FILES, 7);
    sources =
        IndexViews.sources(
            root, "max-total-size = 64MiB", InstantSource.system(), new HashedEmbedder());
    IndexViews.close(built("warm"));
    long begin = cpu();
    index = built("measured");
    filesPerSecond = FILES / ((cpu() - begin) / 1e9);
    IndexViews.refresh(index);
    view = IndexViews.view(sources, index.snapshot());
  }

  /// CPU time of this JVM in nanoseconds; other load on the machine hardly affects it.
  private static long cpu() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  private static WorkspaceIndex built(String name) throws IOException {
    var made = WorkspaceIndex.open(sources, Files.createDirectories(data.resolve(name)));
    IndexViews.refresh(made);
    return made;
  }

  @AfterAll
  static void close() {
    IndexViews.close(index);
  }

  /// Median CPU time of several runs, in milliseconds.
  private static double median(int runs, IntConsumer run) {
    var took = new double[runs];
    for (int number = 0; number < runs; number++) {
      long begin = cpu();
      run.accept(number);
      took[number] = (cpu() - begin) / 1e6;
    }
    Arrays.sort(took);
    return took[runs / 2];
  }

  @Test
  void isIndexedAtAThousandFilesASecond() {
    System.out.printf("indexing: %.0f files a second%n", filesPerSecond);

    assertThat(view.paths()).hasSize(FILES);
    assertThat(view.notes()).isEmpty();
    assertThat(filesPerSecond).isGreaterThan(500);
  }

  @Test
  void isLookedAtAgainInNoTime() {
    double refresh = median(9, run -> assertThat(IndexViews.refresh(index).read()).isZero());
    System.out.printf("refresh without changes: %.1f ms%n", refresh);

    assertThat(refresh).isLessThan(300);
  }

  @Test
  void isSearchedInNoTime() {
    double words = median(50, run -> view.search("where a job %d is claimed".formatted(run), 20));
    double near = median(50, run -> view.nearest("where a job %d is claimed".formatted(run), 20));
    System.out.printf("search: %.1f ms, nearest: %.1f ms%n", words, near);

    assertThat(words).isLessThan(50);
    assertThat(near).isLessThan(100);
  }

  @Test
  void knowsItsReferencesInNoTime() {
    double links =
        median(
            9,
            run -> {
              for (int number = 0; number < 300; number++) {
                assertThat(view.references(SourceTree.path(number))).hasSize(2);
                assertThat(view.referrers(SourceTree.path(number))).isNotEmpty();
              }
            });
    System.out.printf("600 references: %.1f ms%n", links);

    assertThat(links).isLessThan(50);
  }
}
