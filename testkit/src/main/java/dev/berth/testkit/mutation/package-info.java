/**
 * Defects that Berth had, planted again to prove that the random tests find them. A defect replaces one method of the
 * product, in classes that are loaded a second time. So the product itself has no switch for it.
 */
@NullMarked
package dev.berth.testkit.mutation;

import org.jspecify.annotations.NullMarked;
