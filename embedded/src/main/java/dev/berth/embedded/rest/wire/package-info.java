/** Bodies: which form a client wants, reading what it sends, and writing objects, lists, tables and watch events. */
@NullMarked
package dev.berth.embedded.rest.wire;

import org.jspecify.annotations.NullMarked;
