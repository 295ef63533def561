/** Validation rules that all kinds share: names, labels, selectors, owner references, finalizers. */
@NullMarked
package dev.berth.sandbox.validation.meta;

import org.jspecify.annotations.NullMarked;
