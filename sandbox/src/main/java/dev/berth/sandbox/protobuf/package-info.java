/**
 * Kubernetes' protobuf, both ways, driven by the schema: what Go's generated code would write and read, from and to the same trees that
 * JSON has.
 */
@NullMarked
package dev.berth.sandbox.protobuf;

import org.jspecify.annotations.NullMarked;
