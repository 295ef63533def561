/**
 * Endpoints for operators: health checks ({@link dev.berth.http.operation.HealthApi}) and Prometheus metrics ({@link
 * dev.berth.http.operation.MetricsApi}).
 */
@NullMarked
package dev.berth.http.diagnostics;

import org.jspecify.annotations.NullMarked;
