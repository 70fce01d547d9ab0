package dev.handoff.internal.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.JobError;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The record of an attempt")
class AttemptRecordTest {

  @Test
  void keepsAShortErrorOfAnAttemptOfLongAgo() {
    var brief = AttemptRecord.brief(JobError.of(new Exception("m".repeat(1_000))));

    assertThat(brief.stack()).isEmpty();
    assertThat(brief.message()).hasSize(200);
  }
}
