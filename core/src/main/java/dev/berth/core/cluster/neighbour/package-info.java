/** What pods demand of the pods around them: to be near them, away from them, or spread among them. */
@NullMarked
package dev.berth.core.cluster.neighbour;

import org.jspecify.annotations.NullMarked;
