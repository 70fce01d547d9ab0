package dev.handoff.plan.change;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;

/// A committed changeset: a link of its plan's chain. What it holds is in the blob that it names.
///
/// @param id unique within its plan
/// @param changes how many entries its body has
/// @param decisions how many decisions its body has
/// @param body the SHA-256 of its [SetBody] as it is stored
/// @param previous the hash of the link before it; [Seal#NONE] for the first
/// @param hash of everything above
public record Changeset(
    String id,
    String label,
    Maker by,
    Instant at,
    int changes,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) int decisions,
    String body,
    String previous,
    String hash) {

  /// The link that follows the one with the given hash.
  public static Changeset after(
      String previous,
      String id,
      String label,
      Maker by,
      Instant at,
      int changes,
      int decisions,
      String body) {
    return new Changeset(
        id,
        label,
        by,
        at,
        changes,
        decisions,
        body,
        previous,
        hash(previous, id, label, by, at, changes, decisions, body));
  }

  /// Whether its hash fits what it says of itself, and it follows the given link.
  public boolean follows(String link) {
    return previous.equals(link)
        && hash.equals(hash(link, id, label, by, at, changes, decisions, body));
  }

  private static String hash(
      String previous,
      String id,
      String label,
      Maker by,
      Instant at,
      int changes,
      int decisions,
      String body) {
    return Seal.of(
        previous,
        id,
        label,
        by.job() == null ? null : by.job().value(),
        String.valueOf(by.attempt()),
        by.step(),
        by.caller(),
        String.valueOf(at.toEpochMilli()),
        String.valueOf(changes),
        String.valueOf(decisions),
        body);
  }
}
