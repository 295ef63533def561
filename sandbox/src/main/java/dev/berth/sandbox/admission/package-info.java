/** What is asked before a write: rules of the cluster itself, and webhooks. */
@NullMarked
package dev.berth.sandbox.admission;

import org.jspecify.annotations.NullMarked;
