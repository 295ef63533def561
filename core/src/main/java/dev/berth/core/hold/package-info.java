/** Places kept on nodes, and who may use them. */
@NullMarked
package dev.berth.core.hold;

import org.jspecify.annotations.NullMarked;
