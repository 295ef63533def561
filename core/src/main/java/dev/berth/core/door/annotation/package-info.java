/** Room kept by what somebody wrote on the node itself. */
@NullMarked
package dev.berth.core.door.annotation;

import org.jspecify.annotations.NullMarked;
