package dev.handoff.internal.ask;

import java.util.concurrent.CompletableFuture;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.FlowShape;
import org.apache.pekko.stream.Inlet;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.stage.AbstractInHandler;
import org.apache.pekko.stream.stage.AbstractOutHandler;
import org.apache.pekko.stream.stage.AsyncCallback;
import org.apache.pekko.stream.stage.GraphStage;
import org.apache.pekko.stream.stage.GraphStageLogic;

/// Stream stage that passes all elements on and completes when the engine ends.
final class EndingStream<T> extends GraphStage<FlowShape<T, T>> {

  private final Inlet<T> in = Inlet.create("ending.in");
  private final Outlet<T> out = Outlet.create("ending.out");
  private final FlowShape<T, T> shape = FlowShape.of(in, out);
  private final ActorRef<OpenQuestions.Command> open;
  private final CompletableFuture<String> over;

  /// @param over completes when the engine has ended
  EndingStream(ActorRef<OpenQuestions.Command> open, CompletableFuture<String> over) {
    this.open = open;
    this.over = over;
  }

  @Override
  public FlowShape<T, T> shape() {
    return shape;
  }

  @Override
  public GraphStageLogic createLogic(Attributes attributes) {
    return new Logic();
  }

  private final class Logic extends GraphStageLogic {

    private final AsyncCallback<Done> end = createAsyncCallback(now -> completeStage());
    private final OpenQuestions.RunningStream running = () -> end.invoke(Done.getInstance());

    Logic() {
      super(shape);
      setHandler(
          in,
          new AbstractInHandler() {
            @Override
            public void onPush() {
              push(out, grab(in));
            }
          });
      setHandler(
          out,
          new AbstractOutHandler() {
            @Override
            public void onPull() {
              pull(in);
            }
          });
    }

    /// Registers the stream first and checks for the end second. An end in between either finds the
    /// registered stream or is found by this check; an engine that has already ended may have no
    /// actor left to report it.
    @Override
    public void preStart() {
      open.tell(new OpenQuestions.StreamBegan(running));
      if (over.isDone()) {
        completeStage();
      }
    }

    @Override
    public void postStop() {
      open.tell(new OpenQuestions.StreamOver(running));
    }
  }
}
