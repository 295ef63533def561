package dev.berth.testkit.parity;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.Pod;
import dev.berth.core.fact.Fact;
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
final class BerthUnderTest {
    private final ObjectDecoder decoder = new ObjectDecoder();
    private final Profiles profiles;
    private final InMemoryBerth berth;
    /** The Berth that decided on the last pod. */
    private InMemoryBerth lastAsked;

    private final Map<String, Fact> facts = new LinkedHashMap<>();
    private final Map<String, ObjectNode> objects = new LinkedHashMap<>();

    BerthUnderTest(Profiles profiles) {
        this.profiles = profiles;
        this.berth = new InMemoryBerth(profiles);
        this.lastAsked = berth;
    }

    void onUpsert(ObjectNode object) {
        Fact fact = decoder.upsertFact(isUnboundPod(object) ? withOtherScheduler(object) : object);
        facts.put(ApiObjects.uid(object), fact);
        objects.put(ApiObjects.uid(object), object);
        berth.apply(fact);
    }

    void onDelete(ObjectNode object) {
        facts.remove(ApiObjects.uid(object));
        objects.remove(ApiObjects.uid(object));
        berth.apply(decoder.deleteFact(object));
    }

    /** The objects that there are. */
    Collection<ObjectNode> objects() {
        return objects.values();
    }

    /** What Berth says of the pod; where it would put it is {@link SchedulingOutcome#nodeName}. */
    SchedulingOutcome schedule(ObjectNode podObject) {
        Pod pod = decoder.pod(podObject);
        Set<String> lesser = lowerPriorityNominees(podObject);
        boolean nominated = pod.nominatedNodeName().isPresent();
        lastAsked = lesser.isEmpty() && !nominated ? berth : copyWithout(lesser);
        if (nominated) {
            // As its engine does, it keeps the pod's own place first.
            lastAsked.apply(new Fact.PodUpserted(pod));
        }
        lastAsked.reconcile();
        Placement placement = lastAsked.placer.place(pod);
        if (placement instanceof Placement.Refused) {
            // A preemption would leave traces, so it runs in a separate Berth.
            lastAsked = copyWithout(lesser);
            return lastAsked.handleUnschedulable(pod);
        }
        String node = ((Placement.Placed) placement).nodeName();
        SortedMap<String, Long> scores = scores(lastAsked, pod);
        if (pod.nominatedNodeName().equals(Optional.of(node))) {
            // If the nominated node is feasible, it is the only one that counts.
            scores.keySet().retainAll(Set.of(node));
        }
        return SchedulingOutcome.placed(scores, node);
    }

    /** The nodes of nominated pods that count against this one: those with a place kept, or those with none. */
    Set<String> nominatedNodes(ObjectNode podObject, boolean kept) {
        Set<String> lesser = lowerPriorityNominees(podObject);
        return objects.values().stream()
                .filter(object -> isNominee(object) && !lesser.contains(ApiObjects.uid(object)))
                .filter(object -> lastAsked
                                .ledger
                                .hold(new HoldId("preemption/" + ApiObjects.uid(object)))
                                .isPresent()
                        == kept)
                .map(object -> object.path("status").path("nominatedNodeName").asText())
                .collect(Collectors.toSet());
    }

    /** What Berth would say of the pod if the nominated pods that count against it were on their nodes already. */
    SchedulingOutcome scheduleWithNomineesBound(ObjectNode podObject) {
        Set<String> counting = nominees(object -> priority(object) >= priority(podObject));
        BerthUnderTest other = new BerthUnderTest(profiles);
        objects.forEach((uid, object) -> {
            if (counting.contains(uid)) {
                ObjectNode there = object.deepCopy();
                there.withObject("/spec").set("nodeName", object.path("status").path("nominatedNodeName"));
                other.onUpsert(there);
            } else {
                other.onUpsert(object);
            }
        });
        return other.schedule(podObject);
    }

    /** The feasible nodes without nominations, with their scores. */
    SortedMap<String, Long> scoresWithoutNominees(ObjectNode podObject) {
        InMemoryBerth free = copyWithout(nominees(object -> true));
        free.reconcile();
        return scores(free, decoder.pod(podObject));
    }

    private static SortedMap<String, Long> scores(InMemoryBerth inMemoryBerth, Pod pod) {
        SortedMap<String, Long> feasible = new TreeMap<>();
        for (NodeVerdict verdict : inMemoryBerth.placer.explain(pod, HoldUse.PREFERRED)) {
            verdict.score().ifPresent(score -> feasible.put(verdict.node(), score));
        }
        return feasible;
    }

    private InMemoryBerth copyWithout(Set<String> without) {
        InMemoryBerth copy = new InMemoryBerth(profiles);
        facts.forEach((uid, fact) -> {
            if (!without.contains(uid)) {
                copy.apply(fact);
            }
        });
        return copy;
    }

    /** Nominations count from every pod here, and only from pods of no more priority there. */
    private Set<String> lowerPriorityNominees(ObjectNode podObject) {
        return nominees(object -> priority(object) < priority(podObject));
    }

    private Set<String> nominees(Predicate<ObjectNode> which) {
        return objects.values().stream()
                .filter(object -> isNominee(object) && which.test(object))
                .map(ApiObjects::uid)
                .collect(Collectors.toSet());
    }

    private static int priority(ObjectNode pod) {
        return pod.path("spec").path("priority").asInt();
    }

    private static boolean isUnboundPod(ObjectNode object) {
        return ApiObjects.kind(object).equals("Pod") && !object.path("spec").has("nodeName");
    }

    private static boolean isNominee(ObjectNode object) {
        return isUnboundPod(object) && object.path("status").has("nominatedNodeName");
    }

    /** Berth keeps other schedulers' nominations as its own; pods of its own would be decided on here. */
    private static ObjectNode withOtherScheduler(ObjectNode nominee) {
        ObjectNode pod = nominee.deepCopy();
        pod.withObject("/spec").put("schedulerName", "another");
        return pod;
    }
}
