/** The pool of room for schedulers in the process of the ledger. */
@NullMarked
package dev.berth.engine.globalreserve;

import org.jspecify.annotations.NullMarked;
