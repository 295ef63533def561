package dev.berth.core.door.comeback;

import dev.berth.core.decision.Subject;

/**
 * What a Deployment or a StatefulSet asks for its pods.
 *
 * @param reservation the annotation's value, empty where there is none
 * @param ttl likewise
 */
public record Petition(Kind kind, String namespace, String name, String uid, String reservation, String ttl) {
    /** The kinds whose annotations count. */
    public enum Kind {
        DEPLOYMENT("Deployment"),
        STATEFUL_SET("StatefulSet");

        private final String word;

        Kind(String word) {
            this.word = word;
        }
    }

    /** Of a Deployment. */
    public Petition(String namespace, String name, String uid, String reservation, String ttl) {
        this(Kind.DEPLOYMENT, namespace, name, uid, reservation, ttl);
    }

    /** Whose it is: no two of a kind in a namespace have one name. */
    String owner() {
        return owner(kind, namespace, name);
    }

    static String owner(Kind kind, String namespace, String name) {
        return "%s %s/%s".formatted(kind.word, namespace, name);
    }

    boolean asks() {
        return reservation.equals("true");
    }

    /** Whether it says nothing, as most do. */
    boolean isSilent() {
        return reservation.isEmpty() && ttl.isEmpty();
    }

    Subject subject() {
        return new Subject("apps/v1", kind.word, namespace, name, uid, Subject.BERTH);
    }
}
