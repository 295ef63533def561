/** The command line, configuration and wiring: what people run. The only place that reads the system's clock. */
@NullMarked
package dev.berth.app;

import org.jspecify.annotations.NullMarked;
