/** Defaulting and preparation of objects before the sandbox stores them. */
@NullMarked
package dev.berth.sandbox.defaulting;

import org.jspecify.annotations.NullMarked;
