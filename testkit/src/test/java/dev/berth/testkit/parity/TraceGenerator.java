package dev.berth.testkit.parity;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Draws trials: a cluster, then pods to be placed, and between them what happens in clusters. */
final class TraceGenerator {
    private final long seed;
    private final RandomChoices randomChoices;
    private final List<String> nodeNames = new ArrayList<>();
    private final List<ObjectNode> boundPods = new ArrayList<>();
    private final List<ObjectNode> scheduledPods = new ArrayList<>();
    private final List<ObjectNode> nominees = new ArrayList<>();
    private final List<TraceStep> steps = new ArrayList<>();
    private final NodeGenerator nodes;
    private final WorkloadGenerator workloads;
    private final PodGenerator pods;
    private final StorageGenerator storage;
    /** Whether there are volumes. All nodes are there then: kube-scheduler does not see claims on nodes unknown. */
    private final boolean withStorage;

    private TraceGenerator(long seed) {
        this.seed = seed;
        this.randomChoices = new RandomChoices(seed);
        int count = randomChoices.chance(10) ? randomChoices.between(20, 40) : randomChoices.between(1, 12);
        for (int i = 0; i < count; i++) {
            nodeNames.add("n" + i);
        }
        this.nodes = new NodeGenerator(randomChoices);
        this.workloads = new WorkloadGenerator(randomChoices);
        this.pods = new PodGenerator(randomChoices, nodeNames);
        this.storage = new StorageGenerator(randomChoices, nodeNames);
        this.withStorage = randomChoices.chance(50);
    }

    static ClusterTrace generate(long seed) {
        return new TraceGenerator(seed).clusterTrace();
    }

    /** The same trial, with some of its pods in another profile, and both profiles drawn. */
    static ClusterTrace generateWithProfiles(long seed) {
        ClusterTrace plain = generate(seed);
        RandomChoices randomChoices = new RandomChoices(~seed);
        ObjectNode configuration = new SchedulerConfigurationGenerator(randomChoices).configuration();
        List<TraceStep> steps = new ArrayList<>();
        for (TraceStep step : plain.steps()) {
            if (step.kind() == TraceStep.Kind.SCHEDULE && randomChoices.chance(50)) {
                ObjectNode pod = step.object().deepCopy();
                pod.withObject("/spec").put("schedulerName", SchedulerConfigurationGenerator.OTHER);
                steps.add(step.with(pod));
            } else {
                steps.add(step);
            }
        }
        return new ClusterTrace(seed, Optional.of(configuration), steps);
    }

    private ClusterTrace clusterTrace() {
        WorkloadGenerator.NAMESPACES.forEach(name -> steps.add(TraceStep.upsert(workloads.namespace(name))));
        for (int i = randomChoices.between(0, 5); i > 0; i--) {
            steps.add(TraceStep.upsert(workloads.workload()));
        }
        for (int i = randomChoices.chance(40) ? randomChoices.between(1, 3) : 0; i > 0; i--) {
            steps.add(TraceStep.upsert(workloads.budget("budget-" + i)));
        }
        // Some nodes come later, or never.
        nodeNames.stream()
                .filter(name -> withStorage || randomChoices.chance(95))
                .forEach(name -> steps.add(TraceStep.upsert(nodes.node(name))));
        if (withStorage) {
            storage.all().forEach(object -> steps.add(TraceStep.upsert(object)));
        }
        int count = randomChoices.between(0, 3 * nodeNames.size());
        for (int i = 0; i < count; i++) {
            boundPods.add(pods.boundPod("old-" + i));
        }
        boundPods.forEach(pod -> steps.add(TraceStep.upsert(pod)));
        for (int i = randomChoices.chance(10) ? randomChoices.between(1, 2) : 0; i > 0; i--) {
            nominees.add(pods.nominatedPod("nominee-" + i));
        }
        nominees.forEach(pod -> steps.add(TraceStep.upsert(pod)));
        for (int i = randomChoices.between(4, 10); i > 0; i--) {
            while (randomChoices.chance(30)) {
                steps.addAll(randomChanges());
            }
            scheduledPods.add(pods.pendingPod("new-" + i));
            steps.add(TraceStep.schedule(scheduledPods.get(scheduledPods.size() - 1)));
        }
        return new ClusterTrace(seed, steps);
    }

    private List<TraceStep> randomChanges() {
        if (randomChoices.chance(15)) {
            return List.of(randomNamespaceChange());
        }
        if (withStorage && randomChoices.chance(30)) {
            return storage.randomChange();
        }
        return List.of(randomPodOrNodeChange());
    }

    /** What happens to a namespace, or to a budget in one. */
    private TraceStep randomNamespaceChange() {
        if (randomChoices.chance(40)) {
            return TraceStep.upsert(workloads.namespace(randomChoices.any(WorkloadGenerator.NAMESPACES)));
        }
        ObjectNode budget = workloads.budget("budget-" + randomChoices.between(1, 3));
        return randomChoices.chance(70) ? TraceStep.upsert(budget) : TraceStep.delete(budget);
    }

    private TraceStep randomPodOrNodeChange() {
        return switch (randomChoices.between(0, 8)) {
            case 0 -> TraceStep.upsert(nodes.node(randomChoices.any(nodeNames)));
            case 1 ->
                !withStorage && randomChoices.chance(50)
                        ? TraceStep.delete(ApiObjects.named("v1", "Node", "", randomChoices.any(nodeNames)))
                        : randomPodUpdate();
            case 2 -> TraceStep.upsert(workloads.workload());
            case 3 -> TraceStep.delete(workloads.workload());
            case 7 -> nominees.isEmpty() ? randomPodUpdate() : TraceStep.delete(randomChoices.any(nominees));
            case 4 -> scheduledPods.isEmpty() ? randomPodUpdate() : TraceStep.delete(randomChoices.any(scheduledPods));
            case 5 -> boundPods.isEmpty() ? randomPodOrNodeChange() : TraceStep.delete(randomChoices.any(boundPods));
            default -> randomPodUpdate();
        };
    }

    /** A pod changes from what it was last: a deletion, say, is never taken back. */
    private TraceStep randomPodUpdate() {
        if (boundPods.isEmpty()) {
            return TraceStep.upsert(workloads.workload());
        }
        int which = randomChoices.between(0, boundPods.size() - 1);
        boundPods.set(which, pods.changedPod(boundPods.get(which)));
        return TraceStep.upsert(boundPods.get(which));
    }
}
