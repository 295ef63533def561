/** Validation of pods and pod templates. */
@NullMarked
package dev.berth.sandbox.validation.pod;

import org.jspecify.annotations.NullMarked;
