package dev.berth.core.cluster;

/** A namespace and its labels, by which pod affinity terms select it. */
public record Namespace(String name, Labels labels) {
    public Namespace {
        if (name.isBlank()) {
            throw new IllegalArgumentException("namespace name (%s) is blank".formatted(name));
        }
    }
}
