package dev.handoff.dispatch;

import com.typesafe.config.Config;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.dispatch.Envelope;
import org.apache.pekko.dispatch.MailboxType;
import org.apache.pekko.dispatch.MessageQueue;
import org.apache.pekko.dispatch.ProducesMessageQueue;
import org.apache.pekko.dispatch.UnboundedMailbox;
import org.apache.pekko.dispatch.UnboundedMessageQueueSemantics;
import org.apache.pekko.event.LoggerMessageQueueSemantics;
import scala.Option;

/// A mailbox into which a test's [Faults] look before anything is put there.
public final class FaultyMailbox implements MailboxType, ProducesMessageQueue<FaultyMailbox.Queue> {

  static final String CONFIG =
      "pekko.actor.typed.default-mailbox.mailbox-type = " + FaultyMailbox.class.getName();

  public FaultyMailbox(ActorSystem.Settings settings, Config config) {}

  @Override
  public MessageQueue create(Option<ActorRef> owner, Option<ActorSystem> system) {
    return new Queue(new UnboundedMailbox.MessageQueue());
  }

  /// Fit for every actor of a system, its loggers, too.
  public record Queue(MessageQueue messages)
      implements UnboundedMessageQueueSemantics, LoggerMessageQueueSemantics, MessageQueue {

    @Override
    public void enqueue(ActorRef receiver, Envelope message) {
      Faults.current().deliver(receiver, message, () -> messages.enqueue(receiver, message));
    }

    @Override
    public Envelope dequeue() {
      return messages.dequeue();
    }

    @Override
    public int numberOfMessages() {
      return messages.numberOfMessages();
    }

    @Override
    public boolean hasMessages() {
      return messages.hasMessages();
    }

    @Override
    public void cleanUp(ActorRef owner, MessageQueue deadLetters) {
      messages.cleanUp(owner, deadLetters);
    }
  }
}
