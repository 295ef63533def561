/** Who asks: bearer tokens and the users they stand for. */
@NullMarked
package dev.berth.embedded.auth;

import org.jspecify.annotations.NullMarked;
