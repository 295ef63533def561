/** The one account of what pods use and what is held on every node. */
@NullMarked
package dev.berth.core.ledger;

import org.jspecify.annotations.NullMarked;
