/**
 * The nodes as rows of numbers by slot, and logs of their changes. {@link dev.berth.core.placement.table.NodeTable} has
 * the rows, and {@link dev.berth.core.placement.table.StaticNodeFilters} the nodes that pods with equal node
 * affinity and tolerations may use. Rankings of nodes read both.
 */
@NullMarked
package dev.berth.core.placement.table;

import org.jspecify.annotations.NullMarked;
