/** The handlers of the verbs. */
@NullMarked
package dev.berth.sandbox.endpoints.handlers;

import org.jspecify.annotations.NullMarked;
