/** What Berth says of itself to those who operate it: health checks and metrics. */
@NullMarked
package dev.berth.app.diagnostics;

import org.jspecify.annotations.NullMarked;
