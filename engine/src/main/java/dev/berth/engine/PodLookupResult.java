package dev.berth.engine;

/** The result of a consistent read of a pod. */
public sealed interface PodLookupResult {
    record Bound(String node) implements PodLookupResult {}

    record Unbound() implements PodLookupResult {}

    /** The pod does not exist, or a pod with another UID has its name. */
    record NotFound() implements PodLookupResult {}

    /** The read failed, too. */
    record ReadFailed(String message) implements PodLookupResult {}
}
