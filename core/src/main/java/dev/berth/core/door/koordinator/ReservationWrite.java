package dev.berth.core.door.koordinator;

import dev.berth.core.effect.Effect;
import dev.berth.core.hold.Origin;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The writes to reservations. */
public sealed interface ReservationWrite extends Effect.Write {
    String uid();

    String name();

    /**
     * Replaces the status.
     *
     * @param resourceVersion the version of the object that the decision is based on; a precondition of the write
     * @param until until when the reservation holds its capacity, as a text for users
     * @param removedResources the resources whose amounts the object has and the status does not have any more
     */
    record UpdateStatus(
            String uid,
            String name,
            String resourceVersion,
            ReservationStatus status,
            String until,
            Set<ResourceName> removedResources)
            implements ReservationWrite {
        public UpdateStatus {
            removedResources = Collections.unmodifiableSet(new TreeSet<>(removedResources));
        }

        static UpdateStatus of(Reservation observed, ReservationStatus status, String until) {
            Set<ResourceName> removed = new TreeSet<>();
            for (Resources amounts :
                    List.of(observed.status().allocatable(), observed.status().allocated())) {
                removed.addAll(amounts.toMap().keySet());
            }
            removed.removeAll(status.allocatable().toMap().keySet());
            return new UpdateStatus(
                    observed.uid(), observed.name(), observed.resourceVersion(), status, until, removed);
        }
    }

    /** Deletes a reservation that ended long ago. */
    record Delete(String uid, String name) implements ReservationWrite {}

    @Override
    default Origin.DoorId component() {
        return Origin.DoorId.KOORDINATOR;
    }

    @Override
    default String key() {
        return "reservation/" + uid();
    }

    @Override
    default String object() {
        return "reservation/" + name();
    }
}
