/**
 * The nodes as rows of numbers by slot, and logs of their changes. {@link dev.berth.core.placement.table.NodeTable} has
 * the rows, and {@link dev.berth.core.placement.table.NodeSuitability} the properties of nodes for pods with equal node
 * affinity and tolerations. Rankings of nodes read both.
 */
@NullMarked
package dev.berth.core.placement.table;

import org.jspecify.annotations.NullMarked;
