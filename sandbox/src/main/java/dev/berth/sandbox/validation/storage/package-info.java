/** The rules of volumes, of claims on them, and of what stands behind them. */
@NullMarked
package dev.berth.sandbox.validation.storage;

import org.jspecify.annotations.NullMarked;
