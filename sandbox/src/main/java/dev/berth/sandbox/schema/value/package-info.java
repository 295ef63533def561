/** Values in the form in which the real server writes them: quantities, times, and what stands for nothing. */
@NullMarked
package dev.berth.sandbox.schema.value;

import org.jspecify.annotations.NullMarked;
