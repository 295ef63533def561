package dev.berth.core.door.comeback;

import dev.berth.core.decision.Subject;

/**
 * What a Deployment asks for its pods.
 *
 * @param reservation the annotation's value, empty where there is none
 * @param ttl likewise
 */
public record Petition(String namespace, String name, String uid, String reservation, String ttl) {
    boolean asks() {
        return reservation.equals("true");
    }

    /** Whether it says nothing, as most do. */
    boolean isSilent() {
        return reservation.isEmpty() && ttl.isEmpty();
    }

    Subject subject() {
        return new Subject("apps/v1", "Deployment", namespace, name, uid, Words.REPORTER);
    }
}
