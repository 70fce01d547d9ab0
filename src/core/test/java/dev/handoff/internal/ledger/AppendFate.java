package dev.handoff.internal.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// Replies to the sender of an append. They arrive on the ledger's own thread: once the ledger has
/// settled, a missing reply was not sent.
final class AppendFate implements Ledger.Sender {

  private final BlockingQueue<Ledger.Reply> replies = new LinkedBlockingQueue<>();

  @Override
  public void tell(Ledger.Reply reply) {
    replies.add(reply);
  }

  Ledger.Reply next() {
    try {
      var reply = replies.poll(10, TimeUnit.SECONDS);
      assertThat(reply).as("a reply of the ledger").isNotNull();
      return reply;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  <R extends Ledger.Reply> R next(Class<R> kind) {
    var reply = next();
    assertThat(reply).isInstanceOf(kind);
    return kind.cast(reply);
  }

  void is(Ledger.Reply expected) {
    assertThat(next()).isEqualTo(expected);
  }

  void isOpen() {
    assertThat(replies).isEmpty();
  }
}
