package dev.berth.sandbox.kubelet.podadmission;

/** Why a kubelet rejects a pod, with the reason and message of Kubernetes. */
public record Rejection(String reason, String message) {

    static Rejection outOfResource(String resource, long requested, long used, long capacity) {
        return new Rejection(
                "OutOf" + resource,
                "Node didn't have enough resource: %s, requested: %d, used: %d, capacity: %d"
                        .formatted(resource, requested, used, capacity));
    }

    static Rejection predicateFailed(String name, String description) {
        return new Rejection(name, "Predicate %s failed: %s".formatted(name, description));
    }
}
