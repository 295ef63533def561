/** Level-triggered controllers: a queue of keys, retries with back-off, and mirrors that several of them share. */
@NullMarked
package dev.berth.embedded.client.control;

import org.jspecify.annotations.NullMarked;
