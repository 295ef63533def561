/** Values in the form in which the real server writes them: quantities, times, and zero values. */
@NullMarked
package dev.berth.sandbox.schema.value;

import org.jspecify.annotations.NullMarked;
