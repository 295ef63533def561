/** Create, update, patch and delete. */
@NullMarked
package dev.berth.sandbox.endpoints.handlers.write;

import org.jspecify.annotations.NullMarked;
