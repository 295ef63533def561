package dev.berth.core.door.koordinator.preallocation;

import dev.berth.core.effect.Effect;
import dev.berth.core.effect.Effect.PodRef;
import dev.berth.core.hold.Origin;

/**
 * Writes the annotation {@code reservation-allocated} on a running pod that a reservation takes over.
 *
 * @param value the name and the UID of the reservation, as JSON
 */
public record AnnotatePod(PodRef pod, String value) implements Effect.Write {
    @Override
    public Origin.DoorId component() {
        return Origin.DoorId.KOORDINATOR;
    }

    @Override
    public String key() {
        return "reservation of pod %s".formatted(pod.uid());
    }

    @Override
    public String object() {
        return "reservation of pod %s".formatted(pod);
    }
}
