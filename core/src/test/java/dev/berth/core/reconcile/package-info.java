@NullMarked
package dev.berth.core.reconcile;

import org.jspecify.annotations.NullMarked;
