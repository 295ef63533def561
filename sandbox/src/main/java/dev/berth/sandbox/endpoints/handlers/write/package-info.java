/** What a create, update, patch or delete does to the store. */
@NullMarked
package dev.berth.sandbox.endpoints.handlers.write;

import org.jspecify.annotations.NullMarked;
