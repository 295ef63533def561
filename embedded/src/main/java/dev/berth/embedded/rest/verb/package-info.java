/** The verbs by name: which of reading and writing a request asks for. */
@NullMarked
package dev.berth.embedded.rest.verb;

import org.jspecify.annotations.NullMarked;
