/**
 * JSON from the API server, read while it arrives, for objects that the server does not provide in protobuf. {@link
 * dev.berth.kubernetes.json.JsonCursor} reads one object, and {@link dev.berth.kubernetes.json.JsonObject} is an object
 * in memory.
 */
@NullMarked
package dev.berth.kubernetes.json;

import org.jspecify.annotations.NullMarked;
