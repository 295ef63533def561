package dev.berth.core.door.koordinator;

import dev.berth.core.cluster.Pod;

/** A pod that uses the reservation, as the status names it. */
public record CurrentOwner(String namespace, String name, String uid) {
    static CurrentOwner of(Pod pod) {
        return new CurrentOwner(pod.namespace(), pod.name(), pod.uid().value());
    }
}
