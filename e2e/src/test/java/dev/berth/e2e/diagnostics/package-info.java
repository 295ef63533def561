/** Health and metrics of a Berth that runs. */
@NullMarked
package dev.berth.e2e.diagnostics;

import org.jspecify.annotations.NullMarked;
