/** Pods whose volumes are bound only when it is known where the pod goes. */
@NullMarked
package dev.berth.e2e.pages.volumebinding;

import org.jspecify.annotations.NullMarked;
