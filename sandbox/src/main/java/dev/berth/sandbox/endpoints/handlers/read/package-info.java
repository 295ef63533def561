/** What a get, list or watch shows of the store. */
@NullMarked
package dev.berth.sandbox.endpoints.handlers.read;

import org.jspecify.annotations.NullMarked;
