/** Health checks and metrics of {@code berth run}. */
@NullMarked
package dev.berth.app.diagnostics;

import org.jspecify.annotations.NullMarked;
