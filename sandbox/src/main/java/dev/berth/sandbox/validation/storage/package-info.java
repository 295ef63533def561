/** Validation of volumes, volume claims and other storage kinds. */
@NullMarked
package dev.berth.sandbox.validation.storage;

import org.jspecify.annotations.NullMarked;
