/** Structural schemas of custom kinds: what they keep, fill and demand of objects. */
@NullMarked
package dev.berth.sandbox.apiextensions.schema;

import org.jspecify.annotations.NullMarked;
