/// Benchmarks of Handoff, some in comparison with other libraries. `./sbt "bench …"` starts them;
/// `docs/benchmarks.md` explains the results.
@NullMarked
package dev.handoff.bench;

import org.jspecify.annotations.NullMarked;
