/** Whole objects of JSON. */
@NullMarked
package dev.berth.kubernetes.json;

import org.jspecify.annotations.NullMarked;
