/**
 * Schema-driven encoding and decoding of the protobuf of Kubernetes. Objects are JSON trees, and the bytes equal those
 * of Go's generated code.
 */
@NullMarked
package dev.berth.sandbox.protobuf;

import org.jspecify.annotations.NullMarked;
