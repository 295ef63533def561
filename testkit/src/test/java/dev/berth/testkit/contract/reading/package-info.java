/** The contract for reads: lists, watches, tables, discovery. */
@NullMarked
package dev.berth.testkit.contract.reading;

import org.jspecify.annotations.NullMarked;
