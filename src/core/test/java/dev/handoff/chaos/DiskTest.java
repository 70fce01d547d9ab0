package dev.handoff.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.StoreSettings;
import dev.handoff.chaos.ClientJournal.What;
import dev.handoff.internal.job.EndCause;
import dev.handoff.internal.store.BrokenDisk;
import dev.handoff.testing.BoundedWaits;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("An engine on a disk that lets it down")
class DiskTest {

  @TempDir Path directory;

  @Test
  void acknowledgesNothingMeanwhileSaysSoAndGoesOn() {
    var disk = new BrokenDisk();
    var journal = directory.resolve("journal");
    var store = new StoreSettings.File(directory.resolve("data"));
    var local = LocalService.around(journal, store, inner -> disk.under(inner, store));
    local.work("run0-0..399");
    List<Consumer<BrokenDisk>> faults = List.of(BrokenDisk::fill, BrokenDisk::failToSync);
    for (int fault = 0; fault < faults.size(); fault++) {
      long ended = fault * 100L;
      BoundedWaits.until("some work is done", () -> local.seen(What.ENDED) > ended);

      int struck = disk.struck();
      faults.get(fault).accept(disk);
      var submission = local.client().submit("quick-" + fault);
      BoundedWaits.until(
          "it is noticed", () -> BoundedWaits.get(local.handoff().health()).isDegraded());
      assertThat(BoundedWaits.get(local.handoff().health()).problems())
          .anyMatch(problem -> problem.startsWith("the store is away: "));
      BoundedWaits.until(
          "it strikes before a statement, and after one", () -> disk.struck() > struck + 1);
      assertThat(submission).isNotCompleted();

      disk.mend();
      BoundedWaits.until(
          "it is well again", () -> BoundedWaits.get(local.handoff().health()).ready());
      BoundedWaits.get(submission);
    }

    var evidence = local.finish();

    assertThat(RunFindings.violations(evidence)).isEmpty();
    assertThat(evidence.count(EndCause.WORKER_LOST)).isZero();
  }
}
