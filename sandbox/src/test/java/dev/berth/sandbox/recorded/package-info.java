/**
 * Requests and what Kubernetes answered to them: the cases are written by hand, the answers are recorded from a real API
 * server, and ours must give the same.
 */
@NullMarked
package dev.berth.sandbox.recorded;

import org.jspecify.annotations.NullMarked;
