/**
 * The command line: {@link dev.berth.app.Main} and one class for each command. Sub-packages have the configuration, the
 * wiring of {@code berth run}, health checks and the log. The module {@code up} adds {@code berth up}. Only this module
 * reads the system clock.
 */
@NullMarked
package dev.berth.app;

import org.jspecify.annotations.NullMarked;
