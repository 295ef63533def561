/**
 * The schema of the built-in Kubernetes types: kinds, structs and fields, read from a generated resource. Subpackages
 * decode request bodies with it.
 */
@NullMarked
package dev.berth.sandbox.schema;

import org.jspecify.annotations.NullMarked;
