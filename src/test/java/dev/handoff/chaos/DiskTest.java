package dev.handoff.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.chaos.Journal.What;
import dev.handoff.job.EndCause;
import dev.handoff.store.BrokenDisk;
import dev.handoff.store.StoreSettings;
import dev.handoff.testing.Soon;
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
    var local = Local.around(journal, store, inner -> disk.under(inner, store));
    local.work("run0-0..399");
    List<Consumer<BrokenDisk>> faults = List.of(BrokenDisk::fill, BrokenDisk::failToSync);
    for (int fault = 0; fault < faults.size(); fault++) {
      long ended = fault * 100L;
      Soon.until("some work is done", () -> local.seen(What.ENDED) > ended);

      int struck = disk.struck();
      faults.get(fault).accept(disk);
      var submission = local.client().submit("quick-" + fault);
      Soon.until("it is noticed", () -> Soon.get(local.handoff().health()).isDegraded());
      assertThat(Soon.get(local.handoff().health()).problems())
          .anyMatch(problem -> problem.startsWith("the store is away: "));
      Soon.until("it strikes before a statement, and after one", () -> disk.struck() > struck + 1);
      assertThat(submission).isNotCompleted();

      disk.mend();
      Soon.until("it is well again", () -> Soon.get(local.handoff().health()).ready());
      Soon.get(submission);
    }

    var evidence = local.finish();

    assertThat(Findings.violations(evidence)).isEmpty();
    assertThat(evidence.count(EndCause.WORKER_LOST)).isZero();
  }
}
