package dev.berth.testkit.referee;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;

/**
 * Where Berth and kube-scheduler part.
 *
 * @param step the number of the step at which they first do
 */
record Difference(int step, Kind kind, String words) {
    enum Kind {
        FEASIBLE,
        SCORES,
        CHOICE,
        /** Whom the pod sends away to make room, or why nobody. */
        VICTIMS,
        /** Why no node takes the pod. */
        WORDS
    }

    /** The first difference in a trial that is not known, if any; those that are known are counted. */
    static Optional<Difference> in(Trial trial, List<Ruling> rulings, Tally known) {
        BerthCourt berth = new BerthCourt(trial.profiles());
        int ruled = 0;
        for (int i = 0; i < trial.steps().size(); i++) {
            Step step = trial.steps().get(i);
            switch (step.kind()) {
                case TELL -> berth.tell(step.object());
                case FORGET -> berth.forget(step.object());
                case PROBE -> {
                    Ruling expected = rulings.get(ruled++);
                    var said = new Known.Rulings(berth.rule(step.object()), expected);
                    Optional<Difference> found = between(i, said.berth(), expected);
                    Optional<Known> excuse = found.flatMap(
                            difference -> Known.explaining(difference.kind(), said, berth, step.object()));
                    if (found.isPresent() && excuse.isEmpty()) {
                        return found;
                    }
                    excuse.ifPresent(known::count);
                    follow(berth, step.object(), expected.bound());
                }
            }
        }
        return Optional.empty();
    }

    private static void follow(BerthCourt berth, ObjectNode pod, String node) {
        if (!node.isEmpty()) {
            ObjectNode bound = pod.deepCopy();
            bound.withObject("/spec").put("nodeName", node);
            berth.tell(bound);
        }
    }

    static Optional<Difference> between(int step, Ruling berth, Ruling referee) {
        String both = "Berth: %s%nkube-scheduler: %s".formatted(berth, referee);
        if (!berth.feasible().keySet().equals(referee.feasible().keySet())) {
            return Optional.of(new Difference(step, Kind.FEASIBLE, both));
        }
        String refusal = HoldWords.asOfRoom(berth.refusal());
        if (!placement(refusal).equals(placement(referee.refusal()))) {
            return Optional.of(new Difference(step, Kind.WORDS, both));
        }
        if (!refusal.equals(referee.refusal()) || !sacrificed(berth, referee)) {
            return Optional.of(new Difference(step, Kind.VICTIMS, both));
        }
        // kube-scheduler does not score the only node that takes a pod.
        if (berth.feasible().size() < 2) {
            return Optional.empty();
        }
        if (referee.feasible().getOrDefault(berth.bound(), -1L) != referee.best()) {
            return Optional.of(new Difference(step, Kind.CHOICE, both));
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

    /** Whether Berth sends away whom kube-scheduler would on one of the nodes that are equally good to it. */
    private static boolean sacrificed(Ruling berth, Ruling referee) {
        return berth.victims().isEmpty()
                ? referee.victims().isEmpty()
                : berth.victims().entrySet().stream()
                        .allMatch(
                                node -> node.getValue().equals(referee.victims().get(node.getKey())));
    }
}
