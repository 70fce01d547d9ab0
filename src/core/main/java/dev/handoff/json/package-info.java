/// JSON forms of the public types. [dev.handoff.json.NamedAnswer] gives each case of a sealed
/// answer a stable name.
@NullMarked
package dev.handoff.json;

import org.jspecify.annotations.NullMarked;
