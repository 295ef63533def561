/**
 * A small Kubernetes API server in memory. {@link dev.berth.sandbox.apiserver.InMemoryApiServer} is the server without threads or
 * network; {@link dev.berth.sandbox.SandboxApiServer} serves it over HTTPS.
 */
@NullMarked
package dev.berth.sandbox;

import org.jspecify.annotations.NullMarked;
