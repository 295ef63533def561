/** Tests of the rules about volumes, beside an obvious and slow implementation of them. */
@NullMarked
package dev.berth.core.volumebinding.filter;

import org.jspecify.annotations.NullMarked;
