package dev.berth.e2e.scenario.inflight;

import dev.berth.e2e.scenario.testcluster.Scenario;

/** The priority classes {@code low} and {@code high}. */
final class PriorityClasses {
    private static final String CLASSES = "/apis/scheduling.k8s.io/v1/priorityclasses";

    private PriorityClasses() {}

    static void create(Scenario scenario) {
        scenario.object(CLASSES, "{metadata: {name: low}, value: 10}");
        scenario.object(CLASSES, "{metadata: {name: high}, value: 1000}");
    }
}
