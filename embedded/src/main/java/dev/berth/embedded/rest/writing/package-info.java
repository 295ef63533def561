/** What a create, update, patch or delete does to the store. */
@NullMarked
package dev.berth.embedded.rest.writing;

import org.jspecify.annotations.NullMarked;
