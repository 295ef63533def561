package dev.berth.testkit.parity;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.testkit.parity.Difference.Kind;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The differences that stay and cannot be kept out of trials. docs/parity.md has them all, with the reasons, and says how
 * many there may be of each.
 */
enum KnownDifference {
    /**
     * A pod is to be spread, and would have to send others away, among pods that are leaving: those do not count as there,
     * but kube-scheduler counts one less for each of them that it imagines away.
     */
    SPREAD_AMONG_TERMINATING("topology spread with terminating pods", Kind.VICTIMS) {
        @Override
        boolean mayApplyTo(BerthUnderTest berth, ObjectNode podObject) {
            return berth.objects().stream().anyMatch(KnownDifference::isTerminating) && hasHardSpread(podObject);
        }
    },
    /**
     * The victims for a ReadWriteOncePod claim: kube-scheduler counts all pods that mount a claim of that name, in any
     * namespace.
     */
    SAME_CLAIM_NAME_IN_OTHER_NAMESPACE(
            "a ReadWriteOncePod claim with the same name in another namespace", Kind.VICTIMS) {
        @Override
        boolean mayApplyTo(BerthUnderTest berth, ObjectNode podObject) {
            Set<String> alone = readWriteOncePodClaims(berth, podObject);
            return berth.objects().stream()
                    .filter(pod ->
                            isBoundPod(pod) && !ApiObjects.namespace(pod).equals(ApiObjects.namespace(podObject)))
                    .anyMatch(pod -> claimNames(pod).anyMatch(alone::contains));
        }
    },
    /** A claim for one pod alone that several pods use: to kube-scheduler it is free when one of them is imagined away. */
    RWOP_CLAIM_USED_TWICE("a ReadWriteOncePod claim that several pods use", Kind.VICTIMS) {
        @Override
        boolean mayApplyTo(BerthUnderTest berth, ObjectNode podObject) {
            Set<String> used = new HashSet<>();
            Set<String> alone = readWriteOncePodClaims(berth, podObject);
            return berth.objects().stream()
                    .filter(pod -> isBoundPod(pod) && ApiObjects.namespace(pod).equals(ApiObjects.namespace(podObject)))
                    .anyMatch(pod -> claimNames(pod).filter(alone::contains).anyMatch(claim -> !used.add(claim)));
        }
    },
    /** A place is kept for a nominated pod where it has one; kube-scheduler counts it where it has none, too. */
    NOMINATED_WITHOUT_ROOM("a nominated pod that does not fit on its node", Kind.FEASIBLE, Kind.MESSAGE, Kind.VICTIMS) {
        @Override
        boolean mayApplyTo(BerthUnderTest berth, ObjectNode podObject) {
            return !berth.nominatedNodes(podObject, false).isEmpty();
        }

        @Override
        boolean explains(Outcomes outcomes, BerthUnderTest berth, ObjectNode podObject) {
            return agreeWithNomineesBound(outcomes, berth, podObject);
        }
    },
    /**
     * Victims terminate for a nominated pod, which gets their resources: Berth counts the resources once.
     * kube-scheduler counts both pods.
     */
    NOMINATED_BEHIND_TERMINATING(
            "a nominated pod that waits for terminating pods", Kind.FEASIBLE, Kind.MESSAGE, Kind.VICTIMS) {
        @Override
        boolean mayApplyTo(BerthUnderTest berth, ObjectNode podObject) {
            Set<String> nodes = berth.nominatedNodes(podObject, true);
            return berth.objects().stream()
                    .anyMatch(pod -> isPreempted(pod)
                            && nodes.contains(pod.path("spec").path("nodeName").asText()));
        }

        @Override
        boolean explains(Outcomes outcomes, BerthUnderTest berth, ObjectNode podObject) {
            return agreeWithNomineesBound(outcomes, berth, podObject);
        }
    },
    /**
     * The pod of a nomination does not count for affinity yet. For kube-scheduler it does, if a term selects all
     * namespaces.
     */
    NOMINATED_IN_INTER_POD_AFFINITY(
            "a nominated pod in inter-pod affinity", Kind.FEASIBLE, Kind.MESSAGE, Kind.VICTIMS) {
        @Override
        boolean mayApplyTo(BerthUnderTest berth, ObjectNode podObject) {
            JsonNode affinity = podObject.path("spec").path("affinity");
            boolean any = !berth.nominatedNodes(podObject, true).isEmpty()
                    || !berth.nominatedNodes(podObject, false).isEmpty();
            return any
                    && (affinity.path("podAffinity").findValue("namespaceSelector") != null
                            || affinity.path("podAntiAffinity").findValue("namespaceSelector") != null);
        }

        @Override
        boolean explains(Outcomes outcomes, BerthUnderTest berth, ObjectNode podObject) {
            return agreeWithNomineesBound(outcomes, berth, podObject);
        }
    },
    /** What is kept for a nominated pod counts as used; to kube-scheduler it does not when nodes are scored. */
    SCORED_WITH_NOMINATED("scores of nodes with nominated pods", Kind.SCORES, Kind.SELECTED_NODE) {
        @Override
        boolean mayApplyTo(BerthUnderTest berth, ObjectNode podObject) {
            return !berth.nominatedNodes(podObject, true).isEmpty();
        }

        /** With the same nodes to choose from, the scores are those that there would be without the nominated. */
        @Override
        boolean explains(Outcomes outcomes, BerthUnderTest berth, ObjectNode podObject) {
            Map<String, Long> without = berth.scoresWithoutNominees(podObject);
            Map<String, Long> scored = outcomes.kubeScheduler().feasible();
            return without.equals(scored) || !without.keySet().equals(scored.keySet());
        }
    },
    /**
     * Pods leave the node that is nominated for this one, and it will not do: kube-scheduler waits until they are gone,
     * Berth looks for another place.
     */
    TERMINATING_ON_UNSUITABLE_NOMINATED_NODE("terminating pods on an unsuitable nominated node", Kind.VICTIMS) {
        @Override
        boolean mayApplyTo(BerthUnderTest berth, ObjectNode podObject) {
            JsonNode node = podObject.path("status").path("nominatedNodeName");
            return berth.objects().stream()
                    .anyMatch(pod -> isPreempted(pod)
                            && pod.path("spec").path("nodeName").equals(node));
        }

        @Override
        boolean explains(Outcomes outcomes, BerthUnderTest berth, ObjectNode podObject) {
            return outcomes.kubeScheduler()
                    .unschedulableMessage()
                    .endsWith("not eligible due to a terminating pod on the nominated node.");
        }
    };

    /** What both say of one pod. */
    record Outcomes(SchedulingOutcome berth, SchedulingOutcome kubeScheduler) {}

    private final String title;

    @SuppressWarnings("ImmutableEnumChecker") // Set.of returns an immutable set.
    private final Set<Kind> kinds;

    /** @param kinds the kinds of differences that it can cause: usually the victims, not the feasible nodes */
    KnownDifference(String words, Kind... kinds) {
        this.title = words;
        this.kinds = Set.of(kinds);
    }

    /** As docs/parity.md calls it. */
    String title() {
        return title;
    }

    /** Whether it may show when this pod is decided on. */
    abstract boolean mayApplyTo(BerthUnderTest berth, ObjectNode podObject);

    /** Whether it can have led to what the two say. */
    boolean explains(Outcomes outcomes, BerthUnderTest berth, ObjectNode podObject) {
        return true;
    }

    /** What explains a difference of such a kind, if anything does. */
    static Optional<KnownDifference> findExplanation(
            Kind kind, Outcomes outcomes, BerthUnderTest berth, ObjectNode podObject) {
        return Stream.of(values())
                .filter(knownDifference -> knownDifference.kinds.contains(kind)
                        && knownDifference.mayApplyTo(berth, podObject)
                        && knownDifference.explains(outcomes, berth, podObject))
                .findFirst();
    }

    /**
     * Whether both agree once the nominated pods are on their nodes, even without free resources. Victims are not
     * compared if they differ for another reason.
     */
    private static boolean agreeWithNomineesBound(Outcomes outcomes, BerthUnderTest berth, ObjectNode podObject) {
        return Difference.between(0, berth.scheduleWithNomineesBound(podObject), outcomes.kubeScheduler())
                .filter(difference -> difference.kind() != Kind.SCORES && difference.kind() != Kind.SELECTED_NODE)
                .filter(difference -> difference.kind() != Kind.VICTIMS || !differInVictimsAnyway(berth, podObject))
                .isEmpty();
    }

    private static boolean differInVictimsAnyway(BerthUnderTest berth, ObjectNode podObject) {
        return Stream.of(SPREAD_AMONG_TERMINATING, SAME_CLAIM_NAME_IN_OTHER_NAMESPACE, RWOP_CLAIM_USED_TWICE)
                .anyMatch(knownDifference -> knownDifference.mayApplyTo(berth, podObject));
    }

    private static boolean isTerminating(ObjectNode object) {
        return isBoundPod(object) && object.path("metadata").has("deletionTimestamp");
    }

    private static boolean isPreempted(ObjectNode object) {
        return isTerminating(object)
                && object.path("status")
                        .path("conditions")
                        .findValuesAsText("reason")
                        .contains("PreemptionByScheduler");
    }

    private static boolean isBoundPod(ObjectNode object) {
        return ApiObjects.kind(object).equals("Pod") && object.path("spec").has("nodeName");
    }

    private static boolean hasHardSpread(JsonNode pod) {
        for (JsonNode constraint : pod.path("spec").path("topologySpreadConstraints")) {
            if (constraint.path("whenUnsatisfiable").asText().equals("DoNotSchedule")) {
                return true;
            }
        }
        return false;
    }

    /** The names of the claims that the pod mounts and that only one pod may use. */
    private static Set<String> readWriteOncePodClaims(BerthUnderTest berth, ObjectNode podObject) {
        Set<String> alone = new HashSet<>();
        berth.objects().stream()
                .filter(object -> ApiObjects.kind(object).equals("PersistentVolumeClaim")
                        && ApiObjects.namespace(object).equals(ApiObjects.namespace(podObject))
                        && object.path("spec").path("accessModes").toString().contains("ReadWriteOncePod"))
                .forEach(claim -> alone.add(ApiObjects.name(claim)));
        alone.retainAll(claimNames(podObject).toList());
        return alone;
    }

    private static Stream<String> claimNames(ObjectNode pod) {
        return pod.path("spec").path("volumes").findValuesAsText("claimName").stream();
    }
}
