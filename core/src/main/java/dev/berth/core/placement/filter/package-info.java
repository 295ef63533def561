/** Whether one node takes one pod, and the reasons why not as values. */
@NullMarked
package dev.berth.core.placement.filter;

import org.jspecify.annotations.NullMarked;
