/** Values that are equal are kept once, and never more of them than there is room for. */
@NullMarked
package dev.berth.kubernetes.interning;

import org.jspecify.annotations.NullMarked;
