/** Label and field selectors: what a list or watch wants to see of a resource. */
@NullMarked
package dev.berth.sandbox.selector;

import org.jspecify.annotations.NullMarked;
