/// Command-line program `handoff`: commands and their output. [dev.handoff.cli.Main] is the entry
/// point; [dev.handoff.cli.Program] lists the commands. Only this package writes to a terminal.
@NullMarked
package dev.handoff.cli;

import org.jspecify.annotations.NullMarked;
