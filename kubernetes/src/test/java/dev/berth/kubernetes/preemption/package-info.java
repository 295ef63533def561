@NullMarked
package dev.berth.kubernetes.preemption;

import org.jspecify.annotations.NullMarked;
