/** Admission of writes: the built-in plugins and the webhooks. */
@NullMarked
package dev.berth.sandbox.admission;

import org.jspecify.annotations.NullMarked;
