/**
 * The command line: {@link dev.berth.app.Main} and one class for each command. Sub-packages have the configuration, the
 * wiring of {@code berth run}, the sandbox cluster of {@code berth up}, health checks and the log. Only this module
 * reads the system clock.
 */
@NullMarked
package dev.berth.app;

import org.jspecify.annotations.NullMarked;
