/** The reference implementation of the ledger, simple and slow, and random histories that compare both. */
@NullMarked
package dev.berth.core.reference;

import org.jspecify.annotations.NullMarked;
