package dev.handoff.internal.facade;

import dev.handoff.InvalidRequestException;
import dev.handoff.QueueCommands;
import dev.handoff.QueueInfo;
import dev.handoff.UnavailableException;
import dev.handoff.internal.ask.AnswerStage;
import dev.handoff.internal.dispatch.Dispatcher;
import dev.handoff.internal.dispatch.QueueRule;
import dev.handoff.internal.dispatch.Queues;
import dev.handoff.internal.engine.Engine;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;

/// Queues of the whole engine, merged from the reports of all partitions.
public record EngineQueues(RunningEngine engine) implements QueueCommands {

  @Override
  public CompletionStage<List<QueueInfo>> list() {
    return AnswerStage.of(queues());
  }

  private CompletionStage<List<QueueInfo>> queues() {
    return engine
        .calls()
        .<Engine.Command, Engine.HealthReport>ask(engine.guardian(), Engine.GetHealth::new)
        .thenApply(EngineQueues::merged);
  }

  @Override
  public CompletionStage<Void> pause(String queue) {
    return AnswerStage.of(change(queue, new Queues.Paused(true)));
  }

  @Override
  public CompletionStage<Void> resume(String queue) {
    return AnswerStage.of(change(queue, new Queues.Paused(false)));
  }

  @Override
  public CompletionStage<Void> limit(String queue, OptionalInt maxRunning) {
    if (maxRunning.isPresent() && maxRunning.getAsInt() < 1) {
      throw new InvalidRequestException(
          List.of(
              "the limit of queue \"%s\" must be at least 1: pause it instead".formatted(queue)));
    }
    return AnswerStage.of(
        change(queue, new Queues.Limited(maxRunning.isPresent() ? maxRunning.getAsInt() : null)));
  }

  /// A queue that is no longer configured, but still has jobs in the store, keeps running and
  /// accepts the same commands.
  private CompletionStage<Void> change(String queue, Queues.Setting setting) {
    SubmissionRules.checkName("queue", queue);
    var missing = engine.submissions().queues().missing(queue);
    return missing.isEmpty()
        ? tell(queue, setting)
        : queues()
            .thenCompose(
                queues -> {
                  if (queues.stream().noneMatch(found -> found.name().equals(queue))) {
                    throw new InvalidRequestException(List.of(missing.get()));
                  }
                  return tell(queue, setting);
                });
  }

  private CompletionStage<Void> tell(String queue, Queues.Setting setting) {
    return engine
        .calls()
        .<Queues.Command, Queues.Reply>ask(
            engine.doors().queues(), replyTo -> new Queues.Change(queue, setting, replyTo))
        .thenAccept(
            reply -> {
              if (reply instanceof Queues.NotDone(var name, var reason)) {
                throw new UnavailableException(
                    "queue \"%s\" was not changed: %s".formatted(name, reason));
              }
            });
  }

  private static List<QueueInfo> merged(Engine.HealthReport report) {
    Map<String, QueueRule> rules = report.rules() == null ? Map.of() : report.rules().rules();
    var loads = new TreeMap<String, Dispatcher.QueueLoad>();
    report
        .dispatchers()
        .forEach(
            load ->
                load.queues()
                    .forEach((queue, part) -> loads.merge(queue, part, EngineQueues::plus)));
    var names = new TreeSet<>(loads.keySet());
    names.addAll(rules.keySet());
    return names.stream()
        .map(name -> info(name, loads.get(name), rules.getOrDefault(name, QueueRule.NONE)))
        .toList();
  }

  private static QueueInfo info(String name, Dispatcher.QueueLoad found, QueueRule rule) {
    var load = found == null ? new Dispatcher.QueueLoad(0, 0, 0) : found;
    var limit = rule.maxRunning() == null ? OptionalInt.empty() : OptionalInt.of(rule.maxRunning());
    return new QueueInfo(
        name, rule.paused(), load.queued(), load.scheduled(), load.running(), limit);
  }

  private static Dispatcher.QueueLoad plus(Dispatcher.QueueLoad a, Dispatcher.QueueLoad b) {
    return new Dispatcher.QueueLoad(
        a.queued() + b.queued(), a.scheduled() + b.scheduled(), a.running() + b.running());
  }
}
