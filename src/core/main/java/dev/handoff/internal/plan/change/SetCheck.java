package dev.handoff.internal.plan.change;

import dev.handoff.plan.ChainVerdict.Altered;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Check of one changeset against its link and its seals. Entries are checked even if the body's
/// hash is wrong, to find the first altered one.
final class SetCheck {

  private final Changeset set;
  private final String link;
  private final byte @Nullable [] body;
  private final List<ChangeEntry> entries;

  /// Number of leading entries with a valid seal.
  private final int sealed;

  /// @param link hash of the preceding changeset
  SetCheck(Changeset set, String link, byte @Nullable [] body) {
    this.set = set;
    this.link = link;
    this.body = body;
    this.entries = body == null ? List.of() : BodyCodec.readable(body);
    this.sealed = sealed();
  }

  private int sealed() {
    var seal = ChainHash.first(set.id());
    for (int i = 0; i < entries.size(); i++) {
      if (!entries.get(i).follows(seal)) {
        return i;
      }
      seal = entries.get(i).seal();
    }
    return entries.size();
  }

  Optional<Altered> altered() {
    if (body == null) {
      return Optional.of(ofSet().orElseGet(() -> of("its body is missing, or cannot be read")));
    }
    boolean intact = ChainHash.of(body).equals(set.body());
    if (intact && sealed == 0 && ofSet().isPresent()) {
      return ofSet();
    }
    return ofSeal().or(this::ofSet).or(this::ofCount).or(() -> ofBody(intact));
  }

  /// Contents that its entries name, up to the first altered entry.
  List<ContentCheck.Named> named() {
    var named = new ArrayList<ContentCheck.Named>();
    for (int i = 0; i < (ofSet().isPresent() ? 0 : sealed); i++) {
      var entry = entries.get(i);
      if (entry.before() != null) {
        named.add(new ContentCheck.Named(set, i + 1, entry.path(), entry.before()));
      }
      if (entry.after() != null) {
        named.add(new ContentCheck.Named(set, i + 1, entry.path(), entry.after()));
      }
    }
    return named;
  }

  private Optional<Altered> ofSet() {
    if (set.follows(link)) {
      return Optional.empty();
    }
    return Optional.of(
        of(
            set.previous().equals(link)
                ? "it does not fit its hash: what it says of itself was altered"
                : "it does not follow the changeset before it: one was removed, added, moved or"
                    + " rewritten there"));
  }

  private Optional<Altered> ofSeal() {
    if (sealed == entries.size()) {
      return Optional.empty();
    }
    return Optional.of(
        ChainVerifier.of(
            set,
            sealed + 1,
            entries.get(sealed).path(),
            "it does not fit its seal: it was altered, or one before it was removed, added or"
                + " moved"));
  }

  private Optional<Altered> ofCount() {
    if (sealed < set.changes()) {
      return Optional.of(
          ChainVerifier.of(
              set,
              sealed + 1,
              null,
              "it is missing, or cannot be read; there were " + set.changes() + " entries"));
    }
    if (set.changes() < 0) {
      return Optional.of(of("it says that it has " + set.changes() + " entries"));
    }
    if (sealed > set.changes()) {
      return Optional.of(
          ChainVerifier.of(
              set,
              set.changes() + 1,
              entries.get(set.changes()).path(),
              "it was added; there were " + set.changes() + " entries"));
    }
    return Optional.empty();
  }

  private Optional<Altered> ofBody(boolean intact) {
    if (!intact) {
      return Optional.of(of("its body was altered, though none of its entries"));
    }
    try {
      int decisions = BodyCodec.decode(body).decisions().size();
      return decisions == set.decisions()
          ? Optional.empty()
          : Optional.of(
              of("it has " + decisions + " decisions, and there were " + set.decisions()));
    } catch (IOException unreadable) {
      return Optional.of(of("its body cannot be read: " + unreadable.getMessage()));
    }
  }

  private Altered of(String what) {
    return ChainVerifier.of(set, what);
  }
}
