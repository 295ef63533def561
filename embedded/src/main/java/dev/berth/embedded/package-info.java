/**
 * A small Kubernetes API server in memory. {@link dev.berth.embedded.ApiServer} is the server without threads or
 * network; {@link dev.berth.embedded.EmbeddedApiServer} serves it over HTTPS.
 */
@NullMarked
package dev.berth.embedded;

import org.jspecify.annotations.NullMarked;
