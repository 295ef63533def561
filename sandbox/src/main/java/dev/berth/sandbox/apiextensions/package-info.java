/** Kinds that users define: their structural schemas, names, versions, subresources and columns. */
@NullMarked
package dev.berth.sandbox.apiextensions;

import org.jspecify.annotations.NullMarked;
