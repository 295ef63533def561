/** Kinds that users define: their structural schemas, names, versions, subresources and columns. */
@NullMarked
package dev.berth.embedded.crd;

import org.jspecify.annotations.NullMarked;
