/** What the API server shows: changes of objects, as values. */
@NullMarked
package dev.berth.core.fact;

import org.jspecify.annotations.NullMarked;
