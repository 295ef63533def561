/** Bodies cut into pieces, broken off and malformed. */
@NullMarked
package dev.berth.kubernetes.format;

import org.jspecify.annotations.NullMarked;
