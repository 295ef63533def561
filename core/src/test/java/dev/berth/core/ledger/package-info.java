@NullMarked
package dev.berth.core.ledger;

import org.jspecify.annotations.NullMarked;
