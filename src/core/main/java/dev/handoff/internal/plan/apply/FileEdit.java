package dev.handoff.internal.plan.apply;

import dev.handoff.internal.plan.change.Difference;
import dev.handoff.plan.ContentRef;
import org.jspecify.annotations.Nullable;

/// Edit of one file.
///
/// @param path path relative to the root, separated by `/`
/// @param before content that the file must have now; null = the file must not exist
/// @param after new content; null = the file is deleted
public record FileEdit(String path, @Nullable ContentRef before, @Nullable ContentRef after) {

  static FileEdit of(Difference file) {
    return new FileEdit(file.path(), file.before(), file.after());
  }
}
