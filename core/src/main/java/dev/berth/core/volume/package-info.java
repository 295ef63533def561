/** Persistent volumes, claims on them and all that says where they can be used: values and the file that keeps them. */
@NullMarked
package dev.berth.core.volume;

import org.jspecify.annotations.NullMarked;
