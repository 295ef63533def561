/** The OpenAPI v3 index and documents, and the part of v2 that kubectl still reads. */
@NullMarked
package dev.berth.sandbox.openapi;

import org.jspecify.annotations.NullMarked;
