/** The kinds the server serves at this moment, built-in and custom, each with its rules. */
@NullMarked
package dev.berth.embedded.rest.kind;

import org.jspecify.annotations.NullMarked;
