/**
 * Local copies of what a server holds, kept by list and watch, and the means to run on them: on a thread of their own, or
 * step by step on the caller's.
 */
@NullMarked
package dev.berth.sandbox.client.informer;

import org.jspecify.annotations.NullMarked;
