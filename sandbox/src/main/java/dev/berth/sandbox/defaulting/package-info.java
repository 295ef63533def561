/** What the API server adds to an object before it stores it: the defaults of each kind, and what a create or an update takes over or resets. */
@NullMarked
package dev.berth.sandbox.defaulting;

import org.jspecify.annotations.NullMarked;
