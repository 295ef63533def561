package dev.berth.core.cluster.neighbour;

import dev.berth.core.cluster.Labels;

/** A namespace and its labels, by which terms select it. */
public record Namespace(String name, Labels labels) {
    public Namespace {
        if (name.isBlank()) {
            throw new IllegalArgumentException("namespace name (%s) is blank".formatted(name));
        }
    }
}
