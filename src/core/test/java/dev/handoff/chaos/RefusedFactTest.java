package dev.handoff.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.Handoff;
import dev.handoff.JobRequest;
import dev.handoff.Json;
import dev.handoff.Outcome;
import dev.handoff.StoreSettings;
import dev.handoff.Submission;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.StoreDirectory;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The database has a constraint on the content of the ledger.
@DisplayName("A fact that the database refuses, among a thousand")
@ParameterizedClass
@EnumSource(names = {"FILE", "POSTGRES"})
class RefusedFactTest {

  private static final int JOBS = 1_000;
  private static final int CURSED = 500;

  private final StoreDirectory home;

  RefusedFactTest(StoreDirectory.Kind kind) {
    home = StoreDirectory.of(kind);
  }

  @AfterEach
  void cleanUp() {
    home.close();
  }

  private Handoff open() {
    var handoff =
        Handoff.builder()
            .store(home.store())
            .partitions(1)
            .handler("echo", Json.class, (payload, job) -> payload)
            .handler("curse", Json.class, (number, job) -> word(number.toString()))
            .start();
    forbidCursedFacts();
    return handoff;
  }

  private static String word(String number) {
    return number.equals("" + CURSED) ? "cursed" : "blessed";
  }

  private void forbidCursedFacts() {
    var rule =
        switch (home.store()) {
          case StoreSettings.File file ->
              """
              CREATE TRIGGER curse BEFORE INSERT ON handoff_ledger
                WHEN instr(NEW.facts, CAST('cursed' AS BLOB)) > 0
                BEGIN SELECT RAISE(ABORT, 'cursed'); END
              """;
          case StoreSettings.Postgres postgres ->
              """
              ALTER TABLE handoff_ledger ADD CONSTRAINT curse
                CHECK (position('cursed'::bytea IN facts) = 0)
              """;
          case StoreSettings.Memory memory -> throw new IllegalStateException("it has no rules");
        };
    try (var connection = DriverManager.getConnection(url());
        var statement = connection.createStatement()) {
      statement.execute(rule);
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
  }

  private String url() {
    return home.store() instanceof StoreSettings.Postgres postgres
        ? postgres.url()
        : "jdbc:sqlite:" + home.directory().resolve("handoff.db");
  }

  @ParameterizedTest(name = "keys: {0}")
  @ValueSource(booleans = {false, true})
  void isRefusedToItsSenderAloneWhenAJobIsSubmitted(boolean keys) {
    try (var handoff = open()) {
      var answers =
          IntStream.range(0, JOBS)
              .mapToObj(number -> JobRequest.of("echo", word("" + number)))
              .map(request -> keys ? request.key("k-" + request.hashCode()) : request)
              .map(handoff::submit)
              .toList();

      for (int number = 0; number < JOBS; number++) {
        var answer = BoundedWaits.get(answers.get(number));
        if (number == CURSED) {
          assertThat(answer)
              .isInstanceOfSatisfying(
                  Submission.Refused.class,
                  refused -> assertThat(refused.reason()).contains("curse"));
        } else {
          assertThat(outcome(answer)).isInstanceOf(Outcome.Succeeded.class);
        }
      }
      assertThat(BoundedWaits.get(handoff.health()).problems()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = "curse")
  void failsThatJobAloneWhenItIsAResult(String type) {
    try (var handoff = open()) {
      var outcomes =
          IntStream.range(0, JOBS)
              .mapToObj(number -> handoff.submit(JobRequest.of(type, number)))
              .toList();

      for (int number = 0; number < JOBS; number++) {
        assertThat(outcome(outcomes.get(number)))
            .as("job %d", number)
            .isInstanceOf(number == CURSED ? Outcome.Failed.class : Outcome.Succeeded.class);
      }
      assertThat(BoundedWaits.get(handoff.health()).problems()).isEmpty();
    }
  }

  private static Outcome outcome(CompletionStage<Submission> submission) {
    return outcome(BoundedWaits.get(submission));
  }

  private static Outcome outcome(Submission submission) {
    return BoundedWaits.get(submission.orThrow().result());
  }
}
