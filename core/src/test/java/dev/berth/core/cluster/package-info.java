@NullMarked
package dev.berth.core.cluster;

import org.jspecify.annotations.NullMarked;
