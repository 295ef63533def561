/** Persistent volumes, their claims and the objects that say where volumes can be used, with an index of them. */
@NullMarked
package dev.berth.core.volumebinding;

import org.jspecify.annotations.NullMarked;
