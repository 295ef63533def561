/** Tests of what is read and written about volumes. */
@NullMarked
package dev.berth.kubernetes.volumebinding;

import org.jspecify.annotations.NullMarked;
