package dev.berth.bench.placement;

/** The scenario of one measurement. */
record PlacementScenario(int nodes, int shapes, Ownership ownership) {
    /**
     * Pods of a Deployment are spread over zones and hosts by default; bare pods are not. Particular pods must be
     * spread evenly over the zones, and prefer not to share a host with pods of their template.
     */
    enum Ownership {
        BARE,
        DEPLOYMENT,
        CONSTRAINED
    }

    static final int PODS_PER_NODE = 10;
    static final int HOLDS = 1000;
    static final int ZONES = 3;

    PlacementScenario {
        if (nodes < 1 || shapes < 1) {
            throw new IllegalArgumentException(
                    "scene of (%d) nodes and (%d) shapes: both must be positive".formatted(nodes, shapes));
        }
    }
}
