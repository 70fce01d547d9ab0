package dev.handoff.internal.plan.change;

import dev.handoff.internal.plan.change.AlterationsTest.Place;
import dev.handoff.plan.ContentRef;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/// Accidental and deliberate alterations of a stored chain. Each returns the place where the
/// verification must find it.
enum ChainAlteration {
  BIT_OF_A_BODY {
    @Override
    Place alter(ChainSamples chains, Random random) {
      int at = random.nextInt(chains.chain.size());
      var set = chains.chain.get(at);
      var entries = chains.bodies.get(at).entries();
      int number = random.nextInt(entries.size());
      int from = begins(entries, number);
      int to = begins(entries, number + 1);
      var body = chains.contents.asStored(set.body()).clone();
      body[from + random.nextInt(to - from)] ^= (byte) (1 << random.nextInt(8));
      chains.contents.damage(set.body(), body);
      return Place.entry(set.id(), number + 1);
    }
  },
  BIT_OF_A_CONTENT {
    @Override
    Place alter(ChainSamples chains, Random random) {
      var ref = someContent(chains, random);
      var content = chains.contents.asStored(ref.sha256()).clone();
      content[random.nextInt(content.length)] ^= (byte) (1 << random.nextInt(8));
      chains.contents.damage(ref.sha256(), content);
      return firstWith(chains, ref);
    }
  },
  LOST_CONTENT {
    @Override
    Place alter(ChainSamples chains, Random random) {
      var ref = someContent(chains, random);
      chains.contents.lose(ref.sha256());
      return firstWith(chains, ref);
    }
  },
  LOST_BODY {
    @Override
    Place alter(ChainSamples chains, Random random) {
      var set = chains.chain.get(random.nextInt(chains.chain.size()));
      chains.contents.lose(set.body());
      return Place.set(set.id());
    }
  },
  FIELD_OF_A_SET {
    @Override
    Place alter(ChainSamples chains, Random random) {
      int at = random.nextInt(chains.chain.size());
      var set = chains.chain.get(at);
      var other = chains.chain.get((at + 1) % chains.chain.size());
      int field = random.nextInt(8);
      chains.chain.set(
          at,
          new Changeset(
              field == 0 ? "other" : set.id(),
              field == 1 ? "other" : set.label(),
              field == 2 ? otherMaker(set.by(), random) : set.by(),
              field == 3 ? set.at().plusMillis(1) : set.at(),
              set.changes() + (field == 4 ? random.nextBoolean() ? 1 : -1 : 0),
              set.decisions() + (field == 5 ? 1 : 0),
              field == 6 ? other.body() : set.body(),
              field == 7 ? other.hash() : set.previous(),
              set.hash()));
      return Place.set(chains.chain.get(at).id());
    }
  },
  HASH_OF_A_SET {
    @Override
    Place alter(ChainSamples chains, Random random) {
      int at = random.nextInt(chains.chain.size());
      var set = chains.chain.get(at);
      chains.chain.set(at, with(set, set.previous(), ChainHash.of("other")));
      return Place.set(set.id());
    }
  },
  /// The changeset gets a valid new hash; the next changeset reveals the alteration.
  RELABELLED_WITH_A_NEW_HASH {
    @Override
    Place alter(ChainSamples chains, Random random) {
      int at = random.nextInt(chains.chain.size());
      var set = chains.chain.get(at);
      chains.chain.set(
          at,
          Changeset.after(
              set.previous(),
              set.id(),
              "other",
              set.by(),
              set.at(),
              set.changes(),
              set.decisions(),
              set.body()));
      return Place.set(chains.chain.get(Math.min(at + 1, chains.chain.size() - 1)).id());
    }
  },
  DROPPED_ENTRY {
    @Override
    Place alter(ChainSamples chains, Random random) {
      int at = random.nextInt(chains.chain.size());
      var entries = new ArrayList<>(chains.bodies.get(at).entries());
      int number = random.nextInt(entries.size());
      entries.remove(number);
      return replaced(chains, at, entries, number + 1, random);
    }
  },
  SWAPPED_ENTRIES {
    @Override
    Place alter(ChainSamples chains, Random random) {
      int at = random.nextInt(chains.chain.size());
      var entries = new ArrayList<>(chains.bodies.get(at).entries());
      int number = random.nextInt(entries.size() - 1);
      Collections.swap(entries, number, number + 1);
      return replaced(chains, at, entries, number + 1, random);
    }
  },
  FIELD_OF_AN_ENTRY {
    @Override
    Place alter(ChainSamples chains, Random random) {
      int at = random.nextInt(chains.chain.size());
      var entries = new ArrayList<>(chains.bodies.get(at).entries());
      int number = random.nextInt(entries.size());
      var entry = entries.get(number);
      var other = chains.contents.put("other");
      int field = random.nextInt(5);
      entries.set(
          number,
          new ChangeEntry(
              field == 0 ? "other" : entry.path(),
              field == 1 ? other : entry.before(),
              field == 2 ? other : entry.after(),
              field == 3 ? entry.at().plusMillis(1) : entry.at(),
              field == 4 ? "0".repeat(32) : entry.seal()));
      return replaced(chains, at, entries, number + 1, random);
    }
  },
  DROPPED_SET {
    @Override
    Place alter(ChainSamples chains, Random random) {
      int at = random.nextInt(chains.chain.size());
      chains.chain.remove(at);
      return Place.set(chains.chain.get(Math.min(at, chains.chain.size() - 1)).id());
    }
  },
  SWAPPED_SETS {
    @Override
    Place alter(ChainSamples chains, Random random) {
      int at = random.nextInt(chains.chain.size() - 1);
      Collections.swap(chains.chain, at, at + 1 + random.nextInt(chains.chain.size() - at - 1));
      return Place.set(chains.chain.get(at).id());
    }
  },
  DOUBLED_SET {
    @Override
    Place alter(ChainSamples chains, Random random) {
      int at = random.nextInt(chains.chain.size());
      var copy = chains.chain.get(at);
      chains.chain.add(at + 1, copy);
      return Place.set(copy.id());
    }
  },
  APPENDED_SET {
    @Override
    Place alter(ChainSamples chains, Random random) {
      return Place.set(chains.commit("added", ChainSamples.edit("a", null, "1")).id());
    }
  };

  abstract Place alter(ChainSamples chains, Random random);

  /// Replaces the entries of a changeset, with a hash that does not fit, or with all hashes of that
  /// changeset recomputed. The seals reveal it in both cases.
  private static Place replaced(
      ChainSamples chains, int at, List<ChangeEntry> entries, int number, Random random) {
    var set = chains.chain.get(at);
    var body = BodyCodec.encode(new SetBody(entries, chains.bodies.get(at).decisions()));
    if (random.nextBoolean()) {
      chains.contents.damage(set.body(), body);
    } else {
      chains.chain.set(
          at,
          Changeset.after(
              set.previous(),
              set.id(),
              set.label(),
              set.by(),
              set.at(),
              set.changes(),
              set.decisions(),
              chains.contents.put(body).sha256()));
    }
    return Place.entry(set.id(), number);
  }

  private static ChangesetAuthor otherMaker(ChangesetAuthor by, Random random) {
    return switch (random.nextInt(3)) {
      case 0 -> new ChangesetAuthor(by.job(), by.attempt() + 1, by.step(), by.caller());
      case 1 -> new ChangesetAuthor(by.job(), by.attempt(), "other", by.caller());
      default -> new ChangesetAuthor(by.job(), by.attempt(), by.step(), "other");
    };
  }

  private static Changeset with(Changeset set, String previous, String hash) {
    return new Changeset(
        set.id(),
        set.label(),
        set.by(),
        set.at(),
        set.changes(),
        set.decisions(),
        set.body(),
        previous,
        hash);
  }

  private static ContentRef someContent(ChainSamples chains, Random random) {
    var entries = chains.bodies.get(random.nextInt(chains.bodies.size())).entries();
    var entry = entries.get(random.nextInt(entries.size()));
    return entry.before() == null || random.nextBoolean() ? entry.after() : entry.before();
  }

  private static Place firstWith(ChainSamples chains, ContentRef ref) {
    for (int at = 0; at < chains.chain.size(); at++) {
      var entries = chains.bodies.get(at).entries();
      for (int i = 0; i < entries.size(); i++) {
        if (ref.equals(entries.get(i).before()) || ref.equals(entries.get(i).after())) {
          return Place.entry(chains.chain.get(at).id(), i + 1);
        }
      }
    }
    throw new AssertionError("nobody names " + ref);
  }

  /// Offset of an entry in the bytes of a body: one byte follows the entries.
  private static int begins(List<ChangeEntry> entries, int number) {
    return BodyCodec.encode(new SetBody(entries.subList(0, number), List.of())).length - 1;
  }
}
