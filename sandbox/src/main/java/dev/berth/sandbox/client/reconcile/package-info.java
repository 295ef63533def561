/** Level-triggered controllers: a queue of keys, retries with back-off, and retries. */
@NullMarked
package dev.berth.sandbox.client.reconcile;

import org.jspecify.annotations.NullMarked;
