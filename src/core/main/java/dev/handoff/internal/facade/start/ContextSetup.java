package dev.handoff.internal.facade.start;

import com.typesafe.config.Config;
import dev.handoff.InvalidRequestException;
import dev.handoff.context.Embedder;
import dev.handoff.context.PipelineParts;
import dev.handoff.context.Strategy;
import dev.handoff.internal.facade.SubmissionRules;
import dev.handoff.internal.spi.ContextAssembly;
import dev.handoff.internal.spi.ContextChoices;
import dev.handoff.internal.spi.ContextService;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Optional;

/// Settings of the context assembly from the builder. Immutable.
///
/// @param service installed context assembly; empty = none
record ContextSetup(Optional<ContextService> service, ContextChoices choices) {

  static ContextSetup installed() {
    return new ContextSetup(ContextService.installed(), ContextChoices.NONE);
  }

  /// @throws InvalidRequestException if the strategy's name is not a valid name
  /// @throws IllegalStateException if a strategy with this name exists, or context assembly is not
  ///   installed
  ContextSetup with(Strategy strategy) {
    var builtIn = required("a context strategy").strategies();
    SubmissionRules.checkName("strategy", strategy.name());
    if (builtIn.contains(strategy.name())
        || choices.strategies().stream().anyMatch(one -> one.name().equals(strategy.name()))) {
      throw new IllegalStateException("there is a strategy \"" + strategy.name() + "\" already");
    }
    var more = new ArrayList<>(choices.strategies());
    more.add(strategy);
    return with(new ContextChoices(more, choices.parts(), choices.projects(), choices.embedder()));
  }

  /// @throws IllegalStateException if context assembly is not installed
  ContextSetup with(PipelineParts others) {
    required("a part of the context pipeline");
    return with(
        new ContextChoices(
            choices.strategies(),
            others.over(choices.parts()),
            choices.projects(),
            choices.embedder()));
  }

  /// @throws InvalidRequestException if the project is not a valid name
  /// @throws IllegalStateException if context assembly is not installed
  ContextSetup with(String project, PipelineParts others) {
    required("a part of the context pipeline");
    SubmissionRules.checkName("project", project);
    var more = new HashMap<>(choices.projects());
    more.merge(project, others, (before, after) -> after.over(before));
    return with(
        new ContextChoices(choices.strategies(), choices.parts(), more, choices.embedder()));
  }

  /// @throws IllegalStateException if context assembly is not installed
  ContextSetup with(Embedder other) {
    required("an embedder");
    return with(
        new ContextChoices(choices.strategies(), choices.parts(), choices.projects(), other));
  }

  private ContextSetup with(ContextChoices others) {
    return new ContextSetup(service, others);
  }

  private ContextService required(String what) {
    return service.orElseThrow(
        () ->
            new IllegalStateException(
                "%s needs context assembly, which is not installed: add the library %s"
                    .formatted(what, ContextService.ARTIFACT)));
  }

  /// Context part of the engine; empty if context assembly is not installed.
  ///
  /// @param whole configuration with the section `handoff`
  /// @param beside directory of the file store; empty = no file store
  /// @throws IllegalArgumentException naming the invalid key
  Optional<ContextAssembly> assembly(Config whole, Optional<Path> beside) {
    return service.map(found -> found.read(whole.getConfig("handoff"), choices, beside));
  }
}
