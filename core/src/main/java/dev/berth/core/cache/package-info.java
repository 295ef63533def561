/** {@link dev.berth.core.cache.LruCache}: a cache bounded by its number of entries and by the bytes that they retain. */
@NullMarked
package dev.berth.core.cache;

import org.jspecify.annotations.NullMarked;
