package dev.handoff.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.handoff.StoreSettings;
import dev.handoff.chaos.ClientJournal.What;
import dev.handoff.testing.BoundedWaits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("An engine on a disk that is really full")
class FullDiskStressTest {

  @TempDir Path directory;
  private Path disk;
  private Path filling;
  private final List<LocalService> locals = new ArrayList<>();

  @BeforeEach
  void mount() throws Exception {
    disk = Files.createDirectory(directory.resolve("disk"));
    assumeThat(runs("mount", "-t", "tmpfs", "-o", "size=96m", "tmpfs", disk.toString()))
        .as("a small tmpfs can be mounted here: that needs root")
        .isTrue();
    filling = disk.resolve("filling");
  }

  @AfterEach
  void unmount() throws Exception {
    locals.forEach(LocalService::close);
    runs("umount", disk.toString());
  }

  private static boolean runs(String... command) throws Exception {
    try {
      return new ProcessBuilder(List.of(command)).start().waitFor() == 0;
    } catch (IOException missing) {
      return false;
    }
  }

  private LocalService start() {
    var store = new StoreSettings.File(disk.resolve("data"));
    var local = LocalService.start(directory.resolve("journal"), store);
    locals.add(local);
    return local;
  }

  @Test
  void acknowledgesNothingMeanwhileSaysSoAndGoesOnWhenThereIsRoom() throws Exception {
    var local = start();
    local.work("run0-0..999");
    BoundedWaits.until("some work is done", () -> local.seen(What.ENDED) > 100);

    fill();
    BoundedWaits.until(
        "it is noticed", () -> BoundedWaits.get(local.handoff().health()).isDegraded());
    assertThat(BoundedWaits.get(local.handoff().health()).problems())
        .anyMatch(problem -> problem.contains("no room left"));

    Files.delete(filling);
    BoundedWaits.until(
        "it is well again", () -> BoundedWaits.get(local.handoff().health()).ready());

    assertThat(RunFindings.violations(local.finish())).isEmpty();
  }

  @Test
  void hasEverythingThatWasAcknowledgedWhenItIsStartedAgain() throws Exception {
    var local = start();
    local.work("run0-0..999");
    BoundedWaits.until("some work is done", () -> local.seen(What.ENDED) > 200);
    fill();
    BoundedWaits.until(
        "it is noticed", () -> BoundedWaits.get(local.handoff().health()).isDegraded());
    local.close();

    Files.delete(filling);

    assertThat(RunFindings.violations(start().finish())).isEmpty();
  }

  /// Fills the disk to the last byte.
  private void fill() throws IOException {
    try (var file = Files.newOutputStream(filling)) {
      for (var block = new byte[4_096]; ; ) {
        file.write(block);
      }
    } catch (IOException full) {
      assertThat(disk.toFile().getUsableSpace()).isLessThan(4_096);
    }
  }
}
