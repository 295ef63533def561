/** The slow twin of the ledger, obviously right, and random histories that compare the two. */
@NullMarked
package dev.berth.core.reference;

import org.jspecify.annotations.NullMarked;
