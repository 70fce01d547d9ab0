package dev.handoff.internal.plan.change;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;

/// Committed changeset: a link of its plan's hash chain. Its body is a separate blob.
///
/// @param id unique within the plan
/// @param changes number of entries in the body
/// @param decisions number of decisions in the body
/// @param body SHA-256 of the stored [SetBody]
/// @param previous hash of the preceding link; [ChainHash#NONE] for the first
/// @param hash hash of all other components
public record Changeset(
    String id,
    String label,
    ChangesetAuthor by,
    Instant at,
    int changes,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) int decisions,
    String body,
    String previous,
    String hash) {

  /// Link that follows the link with the given hash.
  public static Changeset after(
      String previous,
      String id,
      String label,
      ChangesetAuthor by,
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

  /// Returns whether the hash is right and the link follows the given one.
  public boolean follows(String link) {
    return previous.equals(link)
        && hash.equals(hash(link, id, label, by, at, changes, decisions, body));
  }

  private static String hash(
      String previous,
      String id,
      String label,
      ChangesetAuthor by,
      Instant at,
      int changes,
      int decisions,
      String body) {
    return ChainHash.of(
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
