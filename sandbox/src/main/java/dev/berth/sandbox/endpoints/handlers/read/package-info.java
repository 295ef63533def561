/** Get, list and watch. */
@NullMarked
package dev.berth.sandbox.endpoints.handlers.read;

import org.jspecify.annotations.NullMarked;
