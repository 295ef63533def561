package dev.berth.bench.placement;

/** What one measurement is about. */
record Scene(int nodes, int shapes, Ownership ownership) {
    /** Pods of a Deployment are spread over zones and hosts by default, bare ones are not. */
    enum Ownership {
        BARE,
        DEPLOYMENT
    }

    static final int PODS_PER_NODE = 10;
    static final int HOLDS = 1000;
    static final int ZONES = 3;

    Scene {
        if (nodes < 1 || shapes < 1) {
            throw new IllegalArgumentException(
                    "scene of (%d) nodes and (%d) shapes: both must be positive".formatted(nodes, shapes));
        }
    }
}
