/** Tests of what starts, breaks and ends a real control plane. */
@NullMarked
package dev.berth.testkit.controlplane;

import org.jspecify.annotations.NullMarked;
