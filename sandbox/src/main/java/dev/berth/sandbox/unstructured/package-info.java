/** API objects as JSON trees: read and filled field by field, with metadata, owners, conditions, selectors and times. */
@NullMarked
package dev.berth.sandbox.unstructured;

import org.jspecify.annotations.NullMarked;
