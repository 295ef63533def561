/** Level-triggered controllers: a queue of keys, retries with back-off, and mirrors that several of them share. */
@NullMarked
package dev.berth.sandbox.client.reconcile;

import org.jspecify.annotations.NullMarked;
