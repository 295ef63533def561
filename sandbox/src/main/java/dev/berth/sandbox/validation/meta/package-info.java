/** The rules all kinds share: names, labels, selectors, owners, finalizers. */
@NullMarked
package dev.berth.sandbox.validation.meta;

import org.jspecify.annotations.NullMarked;
