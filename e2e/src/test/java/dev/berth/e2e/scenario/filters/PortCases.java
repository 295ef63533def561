package dev.berth.e2e.scenario.filters;

import static dev.berth.e2e.scenario.testcluster.NodeManifest.aNode;
import static dev.berth.e2e.scenario.testcluster.PodManifest.aPod;

import dev.berth.e2e.scenario.testcluster.PlacementCase;
import dev.berth.e2e.scenario.testcluster.PodManifest;
import java.util.ArrayList;
import java.util.List;

/** Pods that want ports of the one host there is. */
final class PortCases {
    private static final String TAKEN = "1 node(s) didn't have free ports for the requested pod ports";

    private PortCases() {}

    /** Whose port it is. An init container that ends before the others begin keeps none. */
    private enum ContainerKind {
        CONTAINER("a container", true),
        INIT("an init container", false),
        SIDECAR("a sidecar", true);

        private final String label;
        private final boolean holdsPort;

        ContainerKind(String words, boolean keeps) {
            this.label = words;
            this.holdsPort = keeps;
        }

        PodManifest pod(String name, String port) {
            String main = "containers: [{name: main, image: pause%s}]";
            String ports = ", ports: [%s]".formatted(port);
            return switch (this) {
                case CONTAINER -> aPod(name).spec(main.formatted(ports));
                case INIT ->
                    aPod(name)
                            .spec(main.formatted(""))
                            .spec("initContainers: [{name: i, image: pause%s}]".formatted(ports));
                case SIDECAR ->
                    aPod(name)
                            .spec(main.formatted(""))
                            .spec("initContainers: [{name: i, image: pause, restartPolicy: Always%s}]"
                                    .formatted(ports));
            };
        }
    }

    static List<PlacementCase> cases() {
        List<PlacementCase> placementCases = new ArrayList<>(addresses());
        for (ContainerKind other : ContainerKind.values()) {
            placementCases.addAll(pair(ContainerKind.CONTAINER, other));
            if (other != ContainerKind.CONTAINER) {
                placementCases.addAll(pair(other, ContainerKind.CONTAINER));
            }
        }
        return placementCases;
    }

    private static List<PlacementCase> pair(ContainerKind first, ContainerKind second) {
        String both = "of %s and then of %s".formatted(first.label, second.label);
        boolean clash = first.holdsPort && second.holdsPort;
        PlacementCase same = PlacementCase.named("one host port " + both)
                .withNodes(aNode("host"))
                .withExistingPods(first.pod("first", host(8001, "", "TCP")).on("host"))
                .withIncomingPod(second.pod("second", host(8001, "", "TCP")))
                .otherwise(
                        clash
                                ? "a pod cannot listen and crashes again and again"
                                : "a pod waits for a port that is free");
        return List.of(
                clash ? same.expectRefusal(TAKEN) : same.expectNode("host"),
                PlacementCase.named("two host ports " + both)
                        .withNodes(aNode("host"))
                        .withExistingPods(
                                first.pod("first", host(8001, "", "TCP")).on("host"))
                        .withIncomingPod(second.pod("second", host(8002, "", "TCP")))
                        .expectNode("host")
                        .otherwise("a pod waits for a port that is free"),
                PlacementCase.named("one port, but not of the host, " + both)
                        .withNodes(aNode("host"))
                        .withExistingPods(
                                first.pod("first", "{containerPort: 8001}").on("host"))
                        .withIncomingPod(second.pod("second", "{containerPort: 8001}"))
                        .expectNode("host")
                        .otherwise("two web servers cannot share a machine"));
    }

    private static String host(int port, String address, String protocol) {
        return "{containerPort: 80, hostPort: %d, hostIP: \"%s\", protocol: %s}".formatted(port, address, protocol);
    }

    private static List<PlacementCase> addresses() {
        return List.of(
                after("one host port of one address", host(8081, "127.0.0.1", "TCP"))
                        .expectRefusal(TAKEN),
                after("a host port that is not among those taken", host(8080, "127.0.0.1", "TCP"))
                        .expectNode("host"),
                after("one host port of two addresses", host(8081, "10.1.1.1", "TCP"))
                        .expectNode("host"),
                after("one host port of two protocols", host(8081, "127.0.0.1", "UDP"))
                        .expectNode("host"),
                after("one host port of one address and then of all", host(8081, "0.0.0.0", "TCP"))
                        .expectRefusal(TAKEN),
                after("one host port of one address and then of none in particular", host(8081, "", "TCP"))
                        .expectRefusal(TAKEN),
                after("one host port of one address and then of all, by another protocol", host(8081, "", "SCTP"))
                        .expectNode("host"));
    }

    private static PlacementCase after(String name, String port) {
        String taken = host(8081, "127.0.0.1", "TCP") + ", " + host(8082, "127.0.0.1", "TCP");
        return PlacementCase.named(name)
                .withNodes(aNode("host"))
                .withExistingPods(ContainerKind.CONTAINER.pod("first", taken).on("host"))
                .withIncomingPod(ContainerKind.CONTAINER.pod("second", port))
                .otherwise("a pod crashes for a port that is taken, or waits for one that is free");
    }
}
