/** What a get, list or watch shows of the store. */
@NullMarked
package dev.berth.embedded.rest.reading;

import org.jspecify.annotations.NullMarked;
