package dev.berth.app.scenario.predicate;

import static dev.berth.app.scenario.stage.NodeText.aNode;
import static dev.berth.app.scenario.stage.PodText.aPod;

import dev.berth.app.scenario.stage.Play;
import dev.berth.app.scenario.stage.PodText;
import java.util.ArrayList;
import java.util.List;

/** Pods that want ports of the one host there is. */
final class PortPlays {
    private static final String TAKEN = "1 node(s) didn't have free ports for the requested pod ports";

    private PortPlays() {}

    /** Whose port it is. An init container that ends before the others begin keeps none. */
    private enum Whose {
        CONTAINER("a container", true),
        INIT("an init container", false),
        SIDECAR("a sidecar", true);

        private final String words;
        private final boolean keeps;

        Whose(String words, boolean keeps) {
            this.words = words;
            this.keeps = keeps;
        }

        PodText pod(String name, String port) {
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

    static List<Play> plays() {
        List<Play> plays = new ArrayList<>(addresses());
        for (Whose other : Whose.values()) {
            plays.addAll(pair(Whose.CONTAINER, other));
            if (other != Whose.CONTAINER) {
                plays.addAll(pair(other, Whose.CONTAINER));
            }
        }
        return plays;
    }

    private static List<Play> pair(Whose first, Whose second) {
        String both = "of %s and then of %s".formatted(first.words, second.words);
        boolean clash = first.keeps && second.keeps;
        Play same = Play.that("one host port " + both)
                .on(aNode("host"))
                .beside(first.pod("first", host(8001, "", "TCP")).on("host"))
                .comes(second.pod("second", host(8001, "", "TCP")))
                .lest(
                        clash
                                ? "a pod cannot listen and crashes again and again"
                                : "a pod waits for a port that is free");
        return List.of(
                clash ? same.isRefused(TAKEN) : same.goesTo("host"),
                Play.that("two host ports " + both)
                        .on(aNode("host"))
                        .beside(first.pod("first", host(8001, "", "TCP")).on("host"))
                        .comes(second.pod("second", host(8002, "", "TCP")))
                        .goesTo("host")
                        .lest("a pod waits for a port that is free"),
                Play.that("one port, but not of the host, " + both)
                        .on(aNode("host"))
                        .beside(first.pod("first", "{containerPort: 8001}").on("host"))
                        .comes(second.pod("second", "{containerPort: 8001}"))
                        .goesTo("host")
                        .lest("two web servers cannot share a machine"));
    }

    private static String host(int port, String address, String protocol) {
        return "{containerPort: 80, hostPort: %d, hostIP: \"%s\", protocol: %s}".formatted(port, address, protocol);
    }

    private static List<Play> addresses() {
        return List.of(
                after("one host port of one address", host(8081, "127.0.0.1", "TCP"))
                        .isRefused(TAKEN),
                after("a host port that is not among those taken", host(8080, "127.0.0.1", "TCP"))
                        .goesTo("host"),
                after("one host port of two addresses", host(8081, "10.1.1.1", "TCP"))
                        .goesTo("host"),
                after("one host port of two protocols", host(8081, "127.0.0.1", "UDP"))
                        .goesTo("host"),
                after("one host port of one address and then of all", host(8081, "0.0.0.0", "TCP"))
                        .isRefused(TAKEN),
                after("one host port of one address and then of none in particular", host(8081, "", "TCP"))
                        .isRefused(TAKEN),
                after("one host port of one address and then of all, by another protocol", host(8081, "", "SCTP"))
                        .goesTo("host"));
    }

    private static Play after(String name, String port) {
        String taken = host(8081, "127.0.0.1", "TCP") + ", " + host(8082, "127.0.0.1", "TCP");
        return Play.that(name)
                .on(aNode("host"))
                .beside(Whose.CONTAINER.pod("first", taken).on("host"))
                .comes(Whose.CONTAINER.pod("second", port))
                .lest("a pod crashes for a port that is taken, or waits for one that is free");
    }
}
