/** What preemption reads besides pods, and how its writes look on the wire. */
@NullMarked
package dev.berth.kubernetes.door.preemption;

import org.jspecify.annotations.NullMarked;
