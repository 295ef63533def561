/** The one thread that owns the ledger, and the ports by which facts reach it and effects leave it. */
@NullMarked
package dev.berth.engine;

import org.jspecify.annotations.NullMarked;
