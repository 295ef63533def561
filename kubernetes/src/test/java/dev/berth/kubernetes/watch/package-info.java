/** Reflectors against a server that keeps a history, forgets it, falls silent and breaks off. */
@NullMarked
package dev.berth.kubernetes.watch;

import org.jspecify.annotations.NullMarked;
