/** {@link dev.berth.core.collection.SetMultimap}: a mutable map from keys to sets of values. */
@NullMarked
package dev.berth.core.collection;

import org.jspecify.annotations.NullMarked;
