package dev.handoff.internal.context.workspace;

/// Reason why an entry is missing from the index, wholly or partly.
enum SkipReason {
  BINARY("no text"),
  LARGE("larger than handoff.context.workspace.max-file-size"),
  BEYOND("beyond handoff.context.workspace.max-total-size"),
  MANY("beyond handoff.context.workspace.max-files, as is all that is farther from the root"),
  DEEP("in more directories within each other than anybody makes"),
  UNREADABLE("not readable"),
  LINK("a link that leads out of the directory, or nowhere"),
  SPECIAL("neither a file nor a directory"),
  UNNAMED("a name that is another one's, or no text"),
  OUTLINE("indexed without an outline, which failed"),
  VECTOR("indexed without vectors of some passages, which the embedder failed to make"),
  RULE("no ignore rule, or one that is too much");

  private final String reason;

  SkipReason(String reason) {
    this.reason = reason;
  }

  String reason() {
    return reason;
  }
}
