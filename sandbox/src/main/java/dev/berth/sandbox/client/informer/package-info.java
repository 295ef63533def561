/**
 * Informers: local copies of the objects of a server, kept up to date by list and watch. They run on a thread, or
 * step by step on the caller's.
 */
@NullMarked
package dev.berth.sandbox.client.informer;

import org.jspecify.annotations.NullMarked;
