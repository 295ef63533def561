package dev.berth.core.door.koordinator;

import dev.berth.core.effect.Effect;
import dev.berth.core.effect.Effect.PodRef;
import dev.berth.core.hold.Origin;

/** Removes the annotation {@code reservation-allocated} from a pod whose reservation ended. */
public record RemoveAllocatedAnnotation(PodRef pod) implements Effect.Write {
    @Override
    public Origin.DoorId component() {
        return Origin.DoorId.KOORDINATOR;
    }

    @Override
    public String key() {
        return "ended reservation of pod %s".formatted(pod.uid());
    }

    @Override
    public String object() {
        return "ended reservation of pod %s".formatted(pod);
    }
}
