package dev.handoff.internal.ask;

import com.typesafe.config.Config;
import java.util.function.Consumer;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.dispatch.Envelope;
import org.apache.pekko.dispatch.MailboxType;
import org.apache.pekko.dispatch.MessageQueue;
import org.apache.pekko.dispatch.ProducesMessageQueue;
import org.apache.pekko.dispatch.UnboundedMailbox;
import scala.Option;

/// Mailbox of [OpenQuestions]. An ending actor system stops its actors regardless of their
/// mailboxes, so the mailbox itself fails the requests that its actor never received.
public final class QuestionsMailbox
    implements MailboxType, ProducesMessageQueue<QuestionsMailbox.Queue> {

  /// Called by Pekko, with its configuration.
  public QuestionsMailbox(ActorSystem.Settings settings, Config config) {}

  @Override
  public MessageQueue create(Option<ActorRef> owner, Option<ActorSystem> system) {
    return new Queue();
  }

  /// Unbounded queue with a special clean-up.
  public static final class Queue extends UnboundedMailbox.MessageQueue {

    private static final Consumer<Envelope> TELLING = Queue::tellTheEnd;

    @Override
    public void cleanUp(ActorRef owner, MessageQueue deadLetters) {
      for (var left = dequeue(); left != null; left = dequeue()) {
        FullHeapSteps.outlast(TELLING, left);
      }
    }

    private static void tellTheEnd(Envelope left) {
      if (left.message() instanceof OpenQuestions.Asked(var sink)) {
        sink.fail(OpenQuestions.GONE);
      }
    }
  }
}
