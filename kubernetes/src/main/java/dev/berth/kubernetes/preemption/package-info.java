/** What preemption reads besides pods, and how its writes look on the wire. */
@NullMarked
package dev.berth.kubernetes.preemption;

import org.jspecify.annotations.NullMarked;
