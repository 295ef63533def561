/**
 * Requests and responses of the API server, independent of the transport: bodies, watches and the
 * Status objects of errors.
 */
@NullMarked
package dev.berth.sandbox.endpoints;

import org.jspecify.annotations.NullMarked;
