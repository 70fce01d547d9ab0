package dev.handoff.ask;

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

/// The mailbox of [OpenQuestions]. An actor system that ends stops its actors whatever their
/// mailboxes hold: a question that its actor has not heard of by then is told of the end from here.
public final class QuestionsMailbox
    implements MailboxType, ProducesMessageQueue<QuestionsMailbox.Queue> {

  /// Made by Pekko, from its configuration.
  public QuestionsMailbox(ActorSystem.Settings settings, Config config) {}

  @Override
  public MessageQueue create(Option<ActorRef> owner, Option<ActorSystem> system) {
    return new Queue();
  }

  /// An ordinary queue, but for its end.
  public static final class Queue extends UnboundedMailbox.MessageQueue {

    private static final Consumer<Envelope> TELLING = Queue::tellTheEnd;

    @Override
    public void cleanUp(ActorRef owner, MessageQueue deadLetters) {
      for (var left = dequeue(); left != null; left = dequeue()) {
        FullHeap.outlast(TELLING, left);
      }
    }

    private static void tellTheEnd(Envelope left) {
      if (left.message() instanceof OpenQuestions.Asked(var sink)) {
        sink.fail(OpenQuestions.GONE);
      }
    }
  }
}
