/** Quantities, times and zero values in the format of the real server, and the errors of decoding. */
@NullMarked
package dev.berth.sandbox.schema.value;

import org.jspecify.annotations.NullMarked;
