@NullMarked
package dev.berth.kubernetes.door.preemption;

import org.jspecify.annotations.NullMarked;
