package dev.handoff.chaos;

import dev.handoff.JobId;
import dev.handoff.chaos.ClientJournal.Line;
import dev.handoff.chaos.ClientJournal.What;
import dev.handoff.plan.PlanId;
import dev.handoff.testing.ChangeHistory;

/// Converts observations of changes to lines of a [ClientJournal] and back.
final class ChangeLines {

  private ChangeLines() {}

  static void write(ChangeHistory.Entry entry, ClientJournal journal) {
    switch (entry) {
      case ChangeHistory.Asked(var plan, var path) -> journal.say(What.CHANGE, "asked", plan, path);
      case ChangeHistory.Recorded(var plan, var path, var set, int place) ->
          journal.say(What.CHANGE, "recorded", plan, path, set, place);
      case ChangeHistory.Refused(var plan, var path) ->
          journal.say(What.CHANGE, "refused", plan, path);
      case ChangeHistory.Closed(var plan, var set) -> journal.say(What.CHANGE, "closed", plan, set);
      case ChangeHistory.Discarding(var plan, var set) ->
          journal.say(What.CHANGE, "discarding", plan, set);
      case ChangeHistory.Discarded(var plan, var set) ->
          journal.say(What.CHANGE, "discarded", plan, set);
      case ChangeHistory.Made(var job, int attempt, var path) ->
          journal.say(What.CHANGE, "made", job, attempt, path);
    }
  }

  static ChangeHistory.Entry read(Line line) {
    var id = line.word(1);
    return switch (line.word(0)) {
      case "asked" -> new ChangeHistory.Asked(new PlanId(id), line.word(2));
      case "recorded" ->
          new ChangeHistory.Recorded(
              new PlanId(id), line.word(2), line.word(3), Integer.parseInt(line.word(4)));
      case "refused" -> new ChangeHistory.Refused(new PlanId(id), line.word(2));
      case "closed" -> new ChangeHistory.Closed(new PlanId(id), line.word(2));
      case "discarding" -> new ChangeHistory.Discarding(new PlanId(id), line.word(2));
      case "discarded" -> new ChangeHistory.Discarded(new PlanId(id), line.word(2));
      case "made" ->
          new ChangeHistory.Made(new JobId(id), Integer.parseInt(line.word(2)), line.word(3));
      default -> throw new IllegalArgumentException(line.toString());
    };
  }
}
