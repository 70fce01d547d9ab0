package dev.handoff.testing;

import dev.handoff.Handoff;
import dev.handoff.HandoffBuilder;
import dev.handoff.JobContext;
import dev.handoff.internal.facade.RunningEngine;
import dev.handoff.internal.facade.start.EngineBuilder;
import dev.handoff.internal.facade.start.EngineHandoff;
import dev.handoff.internal.plan.ApplyRunner;
import dev.handoff.internal.plan.change.ContentReader;
import dev.handoff.internal.store.Store;
import dev.handoff.plan.Change;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// Access of tests to the parts of an engine, its store decorator and its apply implementation.
public final class EngineHooks {

  private EngineHooks() {}

  /// Parts of a running engine.
  public static RunningEngine running(Handoff handoff) {
    return ((EngineHandoff) handoff).engine();
  }

  public static HandoffBuilder store(HandoffBuilder builder, UnaryOperator<Store> decorator) {
    return ((EngineBuilder) builder).around(decorator);
  }

  public static HandoffBuilder applies(
      HandoffBuilder builder, Function<ContentReader, ApplyRunner.Work> maker) {
    return ((EngineBuilder) builder).applies(maker);
  }

  /// Engine on a file store, whose jobs of type `write` create three small files.
  public static Handoff ofThreeFiles(Path data, Function<ContentReader, ApplyRunner.Work> maker) {
    var builder =
        Handoff.builder()
            .directory(data)
            .handler("write", Object.class, (payload, job) -> threeFiles(job));
    return applies(builder, maker).start();
  }

  private static Object threeFiles(JobContext job) throws Exception {
    for (var name : List.of("a.txt", "b.txt", "c.txt")) {
      job.changes().record(Change.create(name, name)).toCompletableFuture().get().orThrow();
    }
    return "written";
  }
}
