/** DefaultPreemption: victim search, nominations, the holds for preemptors, and evictions. */
@NullMarked
package dev.berth.core.preemption;

import org.jspecify.annotations.NullMarked;
