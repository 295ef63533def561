/** What clients may read of the API's shape: the OpenAPI v3 index and its documents, and the little of v2 that is still asked for. */
@NullMarked
package dev.berth.sandbox.openapi;

import org.jspecify.annotations.NullMarked;
