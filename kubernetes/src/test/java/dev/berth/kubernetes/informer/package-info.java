/** The way from the API server into the engine. */
@NullMarked
package dev.berth.kubernetes.informer;

import org.jspecify.annotations.NullMarked;
