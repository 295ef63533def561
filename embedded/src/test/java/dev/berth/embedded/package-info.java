/** Tests of the server as a whole. */
@NullMarked
package dev.berth.embedded;

import org.jspecify.annotations.NullMarked;
