/** Proves that the generators of random histories find the defects that Berth had. */
@NullMarked
package dev.berth.app.mutation;

import org.jspecify.annotations.NullMarked;
