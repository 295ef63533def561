package dev.berth.engine;

/** Where a pod is, by a consistent read. */
public sealed interface Whereabouts {
    record OnNode(String node) implements Whereabouts {}

    record Unbound() implements Whereabouts {}

    /** Not there, or another pod under its name. */
    record Gone() implements Whereabouts {}

    /** The read failed as well. */
    record NotKnown(String message) implements Whereabouts {}
}
