/// The program `handoff`: its commands, and what they say. [dev.handoff.cli.Main] starts it;
/// [dev.handoff.cli.Program] knows the commands. Nothing outside of this package writes to a
/// terminal.
@NullMarked
package dev.handoff.cli;

import org.jspecify.annotations.NullMarked;
