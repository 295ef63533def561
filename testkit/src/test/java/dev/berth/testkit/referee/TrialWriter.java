package dev.berth.testkit.referee;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Draws trials: a cluster, then pods to be placed, and between them what happens in clusters. */
final class TrialWriter {
    private final long seed;
    private final Dice dice;
    private final List<String> nodeNames = new ArrayList<>();
    private final List<ObjectNode> placed = new ArrayList<>();
    private final List<ObjectNode> probes = new ArrayList<>();
    private final List<ObjectNode> nominees = new ArrayList<>();
    private final List<Step> steps = new ArrayList<>();
    private final NodeWriter nodes;
    private final WorkloadWriter workloads;
    private final PodWriter pods;
    private final StorageWriter storage;
    /** Whether there are volumes. All nodes are there then: kube-scheduler does not see claims on nodes unknown. */
    private final boolean stored;

    private TrialWriter(long seed) {
        this.seed = seed;
        this.dice = new Dice(seed);
        int count = dice.chance(10) ? dice.between(20, 40) : dice.between(1, 12);
        for (int i = 0; i < count; i++) {
            nodeNames.add("n" + i);
        }
        this.nodes = new NodeWriter(dice);
        this.workloads = new WorkloadWriter(dice);
        this.pods = new PodWriter(dice, nodeNames);
        this.storage = new StorageWriter(dice, nodeNames);
        this.stored = dice.chance(50);
    }

    static Trial draw(long seed) {
        return new TrialWriter(seed).trial();
    }

    /** The same trial, with some of its pods in another profile, and both profiles drawn. */
    static Trial drawConfigured(long seed) {
        Trial plain = draw(seed);
        Dice dice = new Dice(~seed);
        ObjectNode configuration = new ConfigurationWriter(dice).configuration();
        List<Step> steps = new ArrayList<>();
        for (Step step : plain.steps()) {
            if (step.kind() == Step.Kind.PROBE && dice.chance(50)) {
                ObjectNode pod = step.object().deepCopy();
                pod.withObject("/spec").put("schedulerName", ConfigurationWriter.OTHER);
                steps.add(step.with(pod));
            } else {
                steps.add(step);
            }
        }
        return new Trial(seed, Optional.of(configuration), steps);
    }

    private Trial trial() {
        WorkloadWriter.NAMESPACES.forEach(name -> steps.add(Step.tell(workloads.namespace(name))));
        for (int i = dice.between(0, 5); i > 0; i--) {
            steps.add(Step.tell(workloads.workload()));
        }
        for (int i = dice.chance(40) ? dice.between(1, 3) : 0; i > 0; i--) {
            steps.add(Step.tell(workloads.budget("budget-" + i)));
        }
        // Some nodes come later, or never.
        nodeNames.stream()
                .filter(name -> stored || dice.chance(95))
                .forEach(name -> steps.add(Step.tell(nodes.node(name))));
        if (stored) {
            storage.all().forEach(object -> steps.add(Step.tell(object)));
        }
        int count = dice.between(0, 3 * nodeNames.size());
        for (int i = 0; i < count; i++) {
            placed.add(pods.placed("old-" + i));
        }
        placed.forEach(pod -> steps.add(Step.tell(pod)));
        for (int i = dice.chance(10) ? dice.between(1, 2) : 0; i > 0; i--) {
            nominees.add(pods.nominated("nominee-" + i));
        }
        nominees.forEach(pod -> steps.add(Step.tell(pod)));
        for (int i = dice.between(4, 10); i > 0; i--) {
            while (dice.chance(30)) {
                steps.addAll(happening());
            }
            probes.add(pods.toPlace("new-" + i));
            steps.add(Step.probe(probes.get(probes.size() - 1)));
        }
        return new Trial(seed, steps);
    }

    private List<Step> happening() {
        if (dice.chance(15)) {
            return List.of(ofNamespace());
        }
        if (stored && dice.chance(30)) {
            return storage.happening();
        }
        return List.of(ofPodsAndNodes());
    }

    /** What happens to a namespace, or to a budget in one. */
    private Step ofNamespace() {
        if (dice.chance(40)) {
            return Step.tell(workloads.namespace(dice.any(WorkloadWriter.NAMESPACES)));
        }
        ObjectNode budget = workloads.budget("budget-" + dice.between(1, 3));
        return dice.chance(70) ? Step.tell(budget) : Step.forget(budget);
    }

    private Step ofPodsAndNodes() {
        return switch (dice.between(0, 8)) {
            case 0 -> Step.tell(nodes.node(dice.any(nodeNames)));
            case 1 ->
                !stored && dice.chance(50)
                        ? Step.forget(Objects.named("v1", "Node", "", dice.any(nodeNames)))
                        : update();
            case 2 -> Step.tell(workloads.workload());
            case 3 -> Step.forget(workloads.workload());
            case 7 -> nominees.isEmpty() ? update() : Step.forget(dice.any(nominees));
            case 4 -> probes.isEmpty() ? update() : Step.forget(dice.any(probes));
            case 5 -> placed.isEmpty() ? ofPodsAndNodes() : Step.forget(dice.any(placed));
            default -> update();
        };
    }

    /** A pod changes from what it was last: a deletion, say, is never taken back. */
    private Step update() {
        if (placed.isEmpty()) {
            return Step.tell(workloads.workload());
        }
        int which = dice.between(0, placed.size() - 1);
        placed.set(which, pods.changed(placed.get(which)));
        return Step.tell(placed.get(which));
    }
}
