/** The contract for writes: creates, updates, patches, bindings, deletions. */
@NullMarked
package dev.berth.testkit.contract.writing;

import org.jspecify.annotations.NullMarked;
