package dev.berth.bench.placement;

/** What one measurement is about. */
record PlacementScenario(int nodes, int shapes, Ownership ownership) {
    /**
     * Pods of a Deployment are spread over zones and hosts by default, bare ones are not. Particular ones must be even over
     * the zones and would rather not share a host with others of their template.
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
