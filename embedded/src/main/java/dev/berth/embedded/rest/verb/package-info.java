/** The verbs: what a get, list, watch, create, update, patch or delete does to the store. */
@NullMarked
package dev.berth.embedded.rest.verb;

import org.jspecify.annotations.NullMarked;
