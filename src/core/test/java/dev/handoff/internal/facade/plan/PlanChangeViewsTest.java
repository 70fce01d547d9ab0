package dev.handoff.internal.facade.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.InvalidRequestException;
import dev.handoff.internal.plan.PlanFact;
import dev.handoff.internal.plan.PlanSpec;
import dev.handoff.internal.plan.PlanState;
import dev.handoff.internal.plan.change.BodyCodec;
import dev.handoff.internal.plan.change.ChainHash;
import dev.handoff.internal.plan.change.ChangeEntry;
import dev.handoff.internal.plan.change.MapContents;
import dev.handoff.internal.plan.change.SetBody;
import dev.handoff.plan.PlanId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a plan has changed")
class PlanChangeViewsTest {

  private static final Instant AT = Instant.parse("2026-11-19T10:00:00Z");

  private final MapContents contents = new MapContents();

  /// Plan with one changeset that creates this number of files of ten MiB each.
  private PlanChangeViews files(int count) {
    var line = "x".repeat((1 << 20) - 1) + "\n";
    var content = contents.put(line.repeat(10).getBytes(StandardCharsets.UTF_8));
    var entries = new ArrayList<ChangeEntry>();
    var seal = ChainHash.first("c1");
    for (int number = 0; number < count; number++) {
      entries.add(ChangeEntry.after(seal, "f" + number, null, content, AT));
      seal = entries.getLast().seal();
    }
    var body = contents.put(BodyCodec.encode(new SetBody(entries, List.of())));
    var spec = new PlanSpec("site", 1, false, null, List.of(), null);
    var plan =
        PlanState.create(
                new PlanId("01K9Z3N0W6000000000000000A"), new PlanFact.Submitted(spec, AT, false))
            .apply(new PlanFact.ChangesetStarted("c1", "mine", "ann", AT))
            .apply(new PlanFact.ChangesRecorded("c1", entries))
            .apply(new PlanFact.ChangesetClosed("c1", body.sha256(), AT));
    return new PlanChangeViews(plan, contents);
  }

  @Test
  void isToldAsFarAsItFitsIntoMemory() {
    assertThat(files(1).diff().text()).hasSizeGreaterThan(10 << 20);
    assertThat(files(1).diff("c1").orElseThrow().report().counts().created()).isEqualTo(1);
  }

  @Test
  void isRefusedInWordsIfItDoesNot() {
    assertThatThrownBy(() -> files(7).diff())
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("67,108,864 characters")
        .hasMessageContaining("one changeset or step");
  }
}
