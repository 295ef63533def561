package dev.berth.bench.cluster;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The size of the cluster and the measurements.
 *
 * @param pods the number of pending pods when the scheduler starts
 * @param rounds how often all scenarios but the slow ones are measured
 * @param only the letters of the scenarios
 */
record ClusterOptions(int nodes, int pods, int rounds, List<String> only) {
    /** The capacity of a node of the benchmark. */
    private static final int PODS_PER_NODE = 40;

    ClusterOptions {
        requireInRange("--nodes", nodes, 1, 20_000);
        requireInRange("--pods", pods, 100, 200_000);
        requireInRange("--rounds", rounds, 1, 20);
        only = List.copyOf(only);
        if ((long) nodes * (PODS_PER_NODE - 5) < pods) {
            throw new IllegalArgumentException("--pods (%d) do not fit on --nodes (%d): at most %d a node"
                    .formatted(pods, nodes, PODS_PER_NODE - 5));
        }
        for (String letter : only) {
            if (Arrays.stream(Scenario.values()).noneMatch(it -> it.id().equals(letter))) {
                throw new IllegalArgumentException(
                        "--only (%s) must be a list of a, b, c, d, eb, ec".formatted(letter));
            }
        }
    }

    static ClusterOptions parse(List<String> arguments) {
        int nodes = 1_000;
        int pods = -1;
        int rounds = 2;
        List<String> only = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i += 2) {
            String name = arguments.get(i);
            if (i + 1 == arguments.size()) {
                throw new IllegalArgumentException("(%s) has no value".formatted(name));
            }
            String value = arguments.get(i + 1);
            switch (name) {
                case "--nodes" -> nodes = number(name, value);
                case "--pods" -> pods = number(name, value);
                case "--rounds" -> rounds = number(name, value);
                case "--only" -> only.addAll(List.of(value.split(",", -1)));
                default ->
                    throw new IllegalArgumentException(
                            "unknown option (%s). Options: --nodes, --pods, --rounds, --only".formatted(name));
            }
        }
        return new ClusterOptions(nodes, pods < 0 ? Math.min(10_000, 5 * nodes) : pods, rounds, only);
    }

    /** The order: the slow scenarios once, the others once in each round, alternately forwards and backwards. */
    List<Scenario> scenarioOrder() {
        List<Scenario> order = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            List<Scenario> these = new ArrayList<>();
            for (Scenario scenario : Scenario.values()) {
                boolean slow = scenario.binder() == Scenario.Binder.KUBE_SCHEDULER;
                if (wants(scenario) && (round == 0 || !slow)) {
                    these.add(round % 2 == 0 ? these.size() : 0, scenario);
                }
            }
            order.addAll(these);
        }
        return order;
    }

    private boolean wants(Scenario scenario) {
        return only.isEmpty() || only.contains(scenario.id());
    }

    private static int number(String name, String value) {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException none) {
            throw new IllegalArgumentException("%s (%s) must be a whole number".formatted(name, value), none);
        }
    }

    private static void requireInRange(String name, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException("%s (%d) must be from %d to %d".formatted(name, value, min, max));
        }
    }
}
