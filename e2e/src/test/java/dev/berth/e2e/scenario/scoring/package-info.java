/** Which of the nodes that take a pod it goes to, asked of a whole cluster. */
@NullMarked
package dev.berth.e2e.scenario.scoring;

import org.jspecify.annotations.NullMarked;
