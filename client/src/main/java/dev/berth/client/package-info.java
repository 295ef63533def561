/** The Reserve API from Java: the pool of a Berth that runs elsewhere. */
@NullMarked
package dev.berth.client;

import org.jspecify.annotations.NullMarked;
