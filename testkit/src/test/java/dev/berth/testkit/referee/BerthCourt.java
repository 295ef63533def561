package dev.berth.testkit.referee;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.Pod;
import dev.berth.core.decision.Fact;
import dev.berth.core.hold.HoldId;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.NodeVerdict;
import dev.berth.core.placement.Placement;
import dev.berth.core.placement.profile.Profiles;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What Berth says of the pods of one trial. */
final class BerthCourt {
    private final Reading reading = new Reading();
    private final Profiles profiles;
    private final Bench bench;
    /** Who was asked about the last pod. */
    private Bench asked;

    private final Map<String, Fact> known = new LinkedHashMap<>();
    private final Map<String, ObjectNode> present = new LinkedHashMap<>();

    BerthCourt(Profiles profiles) {
        this.profiles = profiles;
        this.bench = new Bench(profiles);
        this.asked = bench;
    }

    void tell(ObjectNode object) {
        Fact fact = reading.seen(waits(object) ? ofAnother(object) : object);
        known.put(Objects.uid(object), fact);
        present.put(Objects.uid(object), object);
        bench.learn(fact);
    }

    void forget(ObjectNode object) {
        known.remove(Objects.uid(object));
        present.remove(Objects.uid(object));
        bench.learn(reading.gone(object));
    }

    /** The objects that there are. */
    Collection<ObjectNode> present() {
        return present.values();
    }

    /** What Berth says of the pod; where it would put it is {@link Ruling#bound}. */
    Ruling rule(ObjectNode probe) {
        Pod pod = reading.pod(probe);
        Set<String> lesser = lesserNominees(probe);
        boolean nominated = pod.nominatedNode().isPresent();
        asked = lesser.isEmpty() && !nominated ? bench : another(lesser);
        if (nominated) {
            // As its engine does, it keeps the pod's own place first.
            asked.learn(new Fact.PodSeen(pod));
        }
        asked.settle();
        Placement placement = asked.placer.place(pod);
        if (placement instanceof Placement.Refused) {
            // A pod that sends others away would leave traces: that is asked of a Berth of its own.
            asked = another(lesser);
            return asked.refuse(pod);
        }
        String node = ((Placement.Placed) placement).nodeName();
        SortedMap<String, Long> scores = scores(asked, pod);
        if (pod.nominatedNode().equals(Optional.of(node))) {
            // Whoever may go to the node nominated for it does, and asks about no other.
            scores.keySet().retainAll(Set.of(node));
        }
        return Ruling.placed(scores, node);
    }

    /** The nodes of nominated pods that count against this one: those with a place kept, or those with none. */
    Set<String> nominated(ObjectNode probe, boolean kept) {
        Set<String> lesser = lesserNominees(probe);
        return present.values().stream()
                .filter(object -> isNominee(object) && !lesser.contains(Objects.uid(object)))
                .filter(object -> asked.ledger
                                .hold(new HoldId("preemption/" + Objects.uid(object)))
                                .isPresent()
                        == kept)
                .map(object -> object.path("status").path("nominatedNodeName").asText())
                .collect(Collectors.toSet());
    }

    /** What Berth would say of the pod if the nominated pods that count against it were on their nodes already. */
    Ruling ruleWithNomineesThere(ObjectNode probe) {
        Set<String> counting = nominees(object -> priority(object) >= priority(probe));
        BerthCourt other = new BerthCourt(profiles);
        present.forEach((uid, object) -> {
            if (counting.contains(uid)) {
                ObjectNode there = object.deepCopy();
                there.withObject("/spec").set("nodeName", object.path("status").path("nominatedNodeName"));
                other.tell(there);
            } else {
                other.tell(object);
            }
        });
        return other.rule(probe);
    }

    /** The nodes that would take the pod if nobody were nominated, with their scores. */
    SortedMap<String, Long> scoresWithoutNominees(ObjectNode probe) {
        Bench free = another(nominees(object -> true));
        free.settle();
        return scores(free, reading.pod(probe));
    }

    private static SortedMap<String, Long> scores(Bench bench, Pod pod) {
        SortedMap<String, Long> feasible = new TreeMap<>();
        for (NodeVerdict verdict : bench.placer.explain(pod, HoldUse.PREFERRED)) {
            verdict.score().ifPresent(score -> feasible.put(verdict.node(), score));
        }
        return feasible;
    }

    private Bench another(Set<String> without) {
        Bench another = new Bench(profiles);
        known.forEach((uid, fact) -> {
            if (!without.contains(uid)) {
                another.learn(fact);
            }
        });
        return another;
    }

    /** Nominations count from every pod here, and only from pods of no more priority there. */
    private Set<String> lesserNominees(ObjectNode probe) {
        return nominees(object -> priority(object) < priority(probe));
    }

    private Set<String> nominees(Predicate<ObjectNode> which) {
        return present.values().stream()
                .filter(object -> isNominee(object) && which.test(object))
                .map(Objects::uid)
                .collect(Collectors.toSet());
    }

    private static int priority(ObjectNode pod) {
        return pod.path("spec").path("priority").asInt();
    }

    private static boolean waits(ObjectNode object) {
        return Objects.kind(object).equals("Pod") && !object.path("spec").has("nodeName");
    }

    private static boolean isNominee(ObjectNode object) {
        return waits(object) && object.path("status").has("nominatedNodeName");
    }

    /** Berth keeps other schedulers' nominations as its own; pods of its own would be decided on here. */
    private static ObjectNode ofAnother(ObjectNode nominee) {
        ObjectNode pod = nominee.deepCopy();
        pod.withObject("/spec").put("schedulerName", "another");
        return pod;
    }
}
