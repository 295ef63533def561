/** Who asks: bearer tokens and the users they stand for. */
@NullMarked
package dev.berth.sandbox.authentication;

import org.jspecify.annotations.NullMarked;
