/** What is to be written to the API server, and what the API server answered. */
@NullMarked
package dev.berth.core.effect;

import org.jspecify.annotations.NullMarked;
