/** What every controller is made of: a queue of keys, retries, shared mirrors, and writes that are seen at once. */
@NullMarked
package dev.berth.embedded.workload.control;

import org.jspecify.annotations.NullMarked;
