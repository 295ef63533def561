/** Decisions written to the API server: bindings, conditions and events, and what it makes of them. */
@NullMarked
package dev.berth.kubernetes.effects;

import org.jspecify.annotations.NullMarked;
