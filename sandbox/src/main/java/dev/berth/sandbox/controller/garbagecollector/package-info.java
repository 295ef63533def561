/** The garbage collector: objects go when all their owners are gone, and owners wait for those that hold them back. */
@NullMarked
package dev.berth.sandbox.controller.garbagecollector;

import org.jspecify.annotations.NullMarked;
