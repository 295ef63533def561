@NullMarked
package dev.berth.core.workload;

import org.jspecify.annotations.NullMarked;
