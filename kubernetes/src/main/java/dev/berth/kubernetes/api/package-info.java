/** Requests to an API server, authenticated and with their failures understood. */
@NullMarked
package dev.berth.kubernetes.api;

import org.jspecify.annotations.NullMarked;
