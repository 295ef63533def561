/** The defaults of each kind. */
@NullMarked
package dev.berth.embedded.defaults.kind;

import org.jspecify.annotations.NullMarked;
