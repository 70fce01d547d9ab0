package dev.handoff.internal.dispatch;

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

/// Mailbox that applies the installed [MessageFaults] before it enqueues a message.
public final class FaultyMailbox implements MailboxType, ProducesMessageQueue<FaultyMailbox.Queue> {

  static final String CONFIG =
      "pekko.actor.typed.default-mailbox.mailbox-type = " + FaultyMailbox.class.getName();

  public FaultyMailbox(ActorSystem.Settings settings, Config config) {}

  @Override
  public MessageQueue create(Option<ActorRef> owner, Option<ActorSystem> system) {
    return new Queue(new UnboundedMailbox.MessageQueue());
  }

  /// Queue with the marker interfaces that all actors of a system require, including loggers.
  public record Queue(MessageQueue messages)
      implements UnboundedMessageQueueSemantics, LoggerMessageQueueSemantics, MessageQueue {

    @Override
    public void enqueue(ActorRef receiver, Envelope message) {
      MessageFaults.current().deliver(receiver, message, () -> messages.enqueue(receiver, message));
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
