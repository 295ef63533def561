/** Tests of the server as a whole. */
@NullMarked
package dev.berth.sandbox;

import org.jspecify.annotations.NullMarked;
