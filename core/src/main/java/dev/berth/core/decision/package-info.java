/** Facts come in, decisions come out: what to bind and what to tell, as values that somebody else carries out. */
@NullMarked
package dev.berth.core.decision;

import org.jspecify.annotations.NullMarked;
