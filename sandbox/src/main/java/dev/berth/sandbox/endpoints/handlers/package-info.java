/** The verbs by name: which of reading and writing a request asks for. */
@NullMarked
package dev.berth.sandbox.endpoints.handlers;

import org.jspecify.annotations.NullMarked;
