/** The way from the API server into the engine. */
@NullMarked
package dev.berth.kubernetes.feed;

import org.jspecify.annotations.NullMarked;
