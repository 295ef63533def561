/** The garbage collector: objects go when all their owners are gone, and owners wait for those that hold them back. */
@NullMarked
package dev.berth.embedded.workload.garbage;

import org.jspecify.annotations.NullMarked;
