/**
 * What the server knows of Kubernetes' built-in types: kinds, structs and fields, read from a generated resource, and the decoding of
 * request bodies by them.
 */
@NullMarked
package dev.berth.sandbox.schema;

import org.jspecify.annotations.NullMarked;
