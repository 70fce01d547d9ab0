package dev.handoff.internal.job;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.TreeMap;

/// Content fingerprint of a job with a key. Equal fingerprints mean equal content
/// ([JobSpec#hasSameContent]). Different fingerprints may still mean equal content if different
/// versions made them: then the specs themselves are compared.
public final class ContentFingerprint {

  /// 128 bits of SHA-256: different contents never collide in practice.
  private static final int BYTES = 16;

  private final MessageDigest sha;

  private ContentFingerprint() {
    try {
      sha = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException everyJvmHasIt) {
      throw new IllegalStateException(everyJvmHasIt);
    }
  }

  public static String of(JobSpec spec) {
    var print = new ContentFingerprint();
    var options = spec.options();
    print.add(spec.type());
    print.add(spec.queue());
    print.add(spec.priority());
    print.add(spec.key());
    print.add(spec.origin());
    print.add(options.timeout());
    print.add(options.heartbeatTimeout());
    print.add(options.maxAttempts());
    print.add(options.backoff());
    print.add(options.retryIf());
    new TreeMap<>(options.labels())
        .forEach(
            (name, value) -> {
              print.add(name);
              print.add(value);
            });
    print.add(spec.payload().utf8());
    return HexFormat.of().formatHex(print.sha.digest(), 0, BYTES);
  }

  private void add(Object part) {
    add(String.valueOf(part).getBytes(StandardCharsets.UTF_8));
  }

  /// Adds length and bytes: the length keeps different sequences of parts distinct.
  private void add(byte[] part) {
    sha.update(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).flip());
    sha.update(part);
  }
}
