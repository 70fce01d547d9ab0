package dev.handoff.internal.text;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Text buffer with a maximum length.
public final class BoundedText implements Appendable {

  /// Thrown when the buffer is full.
  public static final class Full extends IOException {
    Full() {
      super("the text is full");
    }
  }

  private final StringBuilder text = new StringBuilder();
  private final int most;

  public BoundedText(int most) {
    this.most = most;
  }

  @Override
  public Appendable append(@Nullable CharSequence more) throws Full {
    var some = String.valueOf(more);
    return append(some, 0, some.length());
  }

  @Override
  public Appendable append(@Nullable CharSequence more, int start, int end) throws Full {
    if (end - start > most - text.length()) {
      throw new Full();
    }
    text.append(more, start, end);
    return this;
  }

  @Override
  public Appendable append(char c) throws Full {
    return append(String.valueOf(c));
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
