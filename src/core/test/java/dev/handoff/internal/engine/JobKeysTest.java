package dev.handoff.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.internal.job.SubmitReply;
import dev.handoff.testing.TestActors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("Keys")
class JobKeysTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private final JobKeys keys = new JobKeys(10_000);

  private static JobKeys.Submission submission(String key) {
    var replyTo = actors.probe(SubmitReply.class).ref();
    return new JobKeys.Submission(
        JobSamples.newId(0), JobSamples.withKey(key, 1), new JobKeys.Alone(replyTo));
  }

  @Test
  void haveOneHolder() {
    var holder = JobSamples.newId(0);

    keys.hold("a", holder);
    assertThat(keys.holder("a")).isEqualTo(holder);

    keys.release(JobSamples.newId(0));
    assertThat(keys.holder("a")).isEqualTo(holder);

    keys.release(holder);
    assertThat(keys.holder("a")).isNull();
  }

  @Test
  void thatAreNoneAreNotHeld() {
    keys.hold(null, JobSamples.newId(0));

    assertThat(keys.holder("a")).isNull();
  }

  @Test
  void areAskedForManyAtOnceAndOneQuestionAtATime() {
    keys.await("a", submission("a"));
    keys.await("b", submission("b"));
    assertThat(keys.toAsk()).containsExactlyInAnyOrder("a", "b");

    keys.await("a", submission("a"));
    keys.await("c", submission("c"));
    assertThat(keys.toAsk()).isEmpty();

    var answered = keys.answered();
    assertThat(answered.get("a")).hasSize(2);
    assertThat(answered.get("b")).hasSize(1);
    assertThat(keys.toAsk()).containsExactly("c");
  }

  @Test
  void thatChangeHandsWhileTheyAreAskedForAreAskedForAgain() {
    keys.await("a", submission("a"));
    keys.await("b", submission("b"));
    keys.toAsk();

    var opened = JobSamples.newId(0);
    keys.hold("a", opened);
    keys.release(opened);

    assertThat(keys.answered()).containsOnlyKeys("b");
    assertThat(keys.toAsk()).containsExactly("a");
    assertThat(keys.answered()).containsOnlyKeys("a");
  }

  @Test
  void thatWaitForHistoryTakeNoMoreRoomThanThereIs() {
    int waiting = 0;
    while (keys.await("k" + waiting, submission("k" + waiting))) {
      waiting++;
    }
    assertThat(waiting).isBetween(1, 100);

    assertThat(keys.toAsk()).hasSize(waiting);
    assertThat(keys.await("late", submission("late"))).isFalse();
    var answered = keys.answered().values();
    assertThat(keys.await("late", submission("late"))).isFalse();
    keys.settled(answered.iterator().next().getFirst());

    assertThat(keys.await("late", submission("late"))).isTrue();
    assertThat(keys.await("later", submission("later"))).isFalse();
  }
}
