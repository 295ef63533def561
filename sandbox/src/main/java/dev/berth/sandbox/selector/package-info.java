/** Label and field selectors, which select the objects of a list or watch. */
@NullMarked
package dev.berth.sandbox.selector;

import org.jspecify.annotations.NullMarked;
