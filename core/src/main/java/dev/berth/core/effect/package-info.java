/** The writes to the API server that decisions require, as values, and their results. */
@NullMarked
package dev.berth.core.effect;

import org.jspecify.annotations.NullMarked;
