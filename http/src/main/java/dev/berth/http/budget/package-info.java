/** {@link dev.berth.http.budget.ByteBudget}: limits the memory of all HTTP requests together. */
@NullMarked
package dev.berth.http.budget;

import org.jspecify.annotations.NullMarked;
