package dev.berth.core.door;

import dev.berth.core.cluster.Pod;
import dev.berth.core.placement.Placement;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** A door that places some of its requests by rules of its own. */
public interface RequestPlacer {
    /**
     * The place of a request of {@link DoorHandle#requestPlacement}; empty if the scheduler places it.
     *
     * @param timeIsUp called after each node; once it returns true the result may be {@link Placement.Unfinished}, and the
     * next call continues
     */
    Optional<Placement> place(Pod request, BooleanSupplier timeIsUp, DoorHandle handle);
}
