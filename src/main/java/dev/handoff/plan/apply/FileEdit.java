package dev.handoff.plan.apply;

import dev.handoff.plan.change.ContentRef;
import dev.handoff.plan.change.Difference;
import org.jspecify.annotations.Nullable;

/// What is to become of one file.
///
/// @param path relative to the root, with `/` between its parts
/// @param before what it must hold now; null = it must not be there
/// @param after what it is to hold; null = it is to be deleted
public record FileEdit(String path, @Nullable ContentRef before, @Nullable ContentRef after) {

  static FileEdit of(Difference file) {
    return new FileEdit(file.path(), file.before(), file.after());
  }
}
