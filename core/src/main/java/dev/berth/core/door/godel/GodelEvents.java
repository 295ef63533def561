package dev.berth.core.door.godel;

import dev.berth.core.cluster.Pod;
import dev.berth.core.door.DoorHandle;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.EventTarget;

/** The Kubernetes events of this door. */
final class GodelEvents {
    private static final Effect.RecordEvent.EventTemplate INVALID =
            Effect.RecordEvent.EventTemplate.warning("InvalidReservation", "Reserving");
    private static final Effect.RecordEvent.EventTemplate FAILED =
            Effect.RecordEvent.EventTemplate.warning("ReservationFailed", "Reserving");

    private GodelEvents() {}

    /** An annotation or a Reservation is malformed. */
    static void invalid(EventTarget eventTarget, String message, DoorHandle handle) {
        handle.write(new Effect.RecordEvent(eventTarget, INVALID, message));
    }

    /** A pod gets no Reservation, or a Reservation holds less than it requests. */
    static void failed(EventTarget eventTarget, String message, DoorHandle handle) {
        handle.write(new Effect.RecordEvent(eventTarget, FAILED, message));
    }

    static void notCreated(Pod pod, String reason, DoorHandle handle) {
        failed(EventTarget.of(Effect.PodRef.of(pod)), "No Reservation was created: " + reason, handle);
    }

    static String endedMessage(String reason) {
        return "The Reservation ended before its TTL: " + reason;
    }
}
