/** The garbage collector: deletes objects without owners, and makes owners wait for blocking dependents. */
@NullMarked
package dev.berth.sandbox.controller.garbagecollector;

import org.jspecify.annotations.NullMarked;
