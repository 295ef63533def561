package dev.berth.core.door.godel;

import dev.berth.core.effect.EventTarget;

/**
 * The annotations by which a Deployment or a StatefulSet requests Reservations for its pods.
 *
 * @param reservation the value of the annotation; empty if there is none
 * @param ttl the value of the annotation; empty if there is none
 */
public record ReservationRequest(
        RequesterKind kind, String namespace, String name, String uid, String reservation, String ttl) {
    /** The kinds whose annotations take effect. */
    public enum RequesterKind {
        DEPLOYMENT("Deployment"),
        STATEFUL_SET("StatefulSet");

        private final String kindName;

        RequesterKind(String kindName) {
            this.kindName = kindName;
        }
    }

    /** The request of a Deployment. */
    public ReservationRequest(String namespace, String name, String uid, String reservation, String ttl) {
        this(RequesterKind.DEPLOYMENT, namespace, name, uid, reservation, ttl);
    }

    /** Unique: two objects of one kind in one namespace have different names. */
    String workloadKey() {
        return workloadKey(kind, namespace, name);
    }

    static String workloadKey(RequesterKind kind, String namespace, String name) {
        return "%s %s/%s".formatted(kind.kindName, namespace, name);
    }

    boolean isRequested() {
        return reservation.equals("true");
    }

    /** Whether the object has no annotation of this door, which is the usual case. */
    boolean isEmpty() {
        return reservation.isEmpty() && ttl.isEmpty();
    }

    EventTarget eventTarget() {
        return new EventTarget("apps/v1", kind.kindName, namespace, name, uid, EventTarget.BERTH);
    }
}
