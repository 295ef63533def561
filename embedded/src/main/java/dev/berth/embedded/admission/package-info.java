/** What is asked before a write: rules of the cluster itself, and webhooks. */
@NullMarked
package dev.berth.embedded.admission;

import org.jspecify.annotations.NullMarked;
