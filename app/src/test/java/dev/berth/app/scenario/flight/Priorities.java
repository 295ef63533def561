package dev.berth.app.scenario.flight;

import dev.berth.app.scenario.stage.Scene;

/** The priority classes {@code low} and {@code high}. */
final class Priorities {
    private static final String CLASSES = "/apis/scheduling.k8s.io/v1/priorityclasses";

    private Priorities() {}

    static void make(Scene scene) {
        scene.object(CLASSES, "{metadata: {name: low}, value: 10}");
        scene.object(CLASSES, "{metadata: {name: high}, value: 1000}");
    }
}
