/// Measurements of Handoff, some beside other libraries. Started by `./sbt "bench …"`; what they
/// show and how to read it is in `docs/benchmarks.md`.
@NullMarked
package dev.handoff.bench;

import org.jspecify.annotations.NullMarked;
