package dev.berth.testkit.parity;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;

/**
 * Where Berth and kube-scheduler part.
 *
 * @param step the number of the step at which they first do
 */
record Difference(int step, Kind kind, String message) {
    enum Kind {
        FEASIBLE,
        SCORES,
        SELECTED_NODE,
        /** The victims of the pod, or why there are none. */
        VICTIMS,
        /** Why no node takes the pod. */
        MESSAGE
    }

    /** The first difference in a trial that is not known, if any; those that are known are counted. */
    static Optional<Difference> firstUnknownIn(
            ClusterTrace clusterTrace, List<SchedulingOutcome> schedulingOutcomes, KnownDifferenceCounts known) {
        BerthUnderTest berth = new BerthUnderTest(clusterTrace.profiles());
        int ruled = 0;
        for (int i = 0; i < clusterTrace.steps().size(); i++) {
            TraceStep step = clusterTrace.steps().get(i);
            switch (step.kind()) {
                case UPSERT -> berth.onUpsert(step.object());
                case DELETE -> berth.onDelete(step.object());
                case SCHEDULE -> {
                    SchedulingOutcome expected = schedulingOutcomes.get(ruled++);
                    var said = new KnownDifference.Outcomes(berth.schedule(step.object()), expected);
                    Optional<Difference> found = between(i, said.berth(), expected);
                    Optional<KnownDifference> excuse = found.flatMap(difference ->
                            KnownDifference.findExplanation(difference.kind(), said, berth, step.object()));
                    if (found.isPresent() && excuse.isEmpty()) {
                        return found;
                    }
                    excuse.ifPresent(known::count);
                    applyBinding(berth, step.object(), expected.nodeName());
                }
            }
        }
        return Optional.empty();
    }

    private static void applyBinding(BerthUnderTest berth, ObjectNode pod, String node) {
        if (!node.isEmpty()) {
            ObjectNode bound = pod.deepCopy();
            bound.withObject("/spec").put("nodeName", node);
            berth.onUpsert(bound);
        }
    }

    static Optional<Difference> between(int step, SchedulingOutcome berth, SchedulingOutcome referee) {
        String both = "Berth: %s%nkube-scheduler: %s".formatted(berth, referee);
        if (!berth.feasible().keySet().equals(referee.feasible().keySet())) {
            return Optional.of(new Difference(step, Kind.FEASIBLE, both));
        }
        String refusal = RefusalMessageNormalizer.toKubeSchedulerMessage(berth.unschedulableMessage());
        if (!placement(refusal).equals(placement(referee.unschedulableMessage()))) {
            return Optional.of(new Difference(step, Kind.MESSAGE, both));
        }
        if (!refusal.equals(referee.unschedulableMessage()) || !sameVictims(berth, referee)) {
            return Optional.of(new Difference(step, Kind.VICTIMS, both));
        }
        // kube-scheduler does not score the only node that takes a pod.
        if (berth.feasible().size() < 2) {
            return Optional.empty();
        }
        if (referee.feasible().getOrDefault(berth.nodeName(), -1L) != referee.highestScore()) {
            return Optional.of(new Difference(step, Kind.SELECTED_NODE, both));
        }
        return berth.feasible().equals(referee.feasible())
                ? Optional.empty()
                : Optional.of(new Difference(step, Kind.SCORES, both));
    }

    /** Why no node takes the pod, without the words on making room for it. */
    private static String placement(String refusal) {
        int cut = refusal.indexOf(" preemption: ");
        return cut < 0 ? refusal : refusal.substring(0, cut);
    }

    /** Whether Berth has the same victims as kube-scheduler on one of the nodes that are equally good to it. */
    private static boolean sameVictims(SchedulingOutcome berth, SchedulingOutcome referee) {
        return berth.victims().isEmpty()
                ? referee.victims().isEmpty()
                : berth.victims().entrySet().stream()
                        .allMatch(
                                node -> node.getValue().equals(referee.victims().get(node.getKey())));
    }
}
