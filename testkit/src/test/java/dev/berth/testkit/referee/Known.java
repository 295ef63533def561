package dev.berth.testkit.referee;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.testkit.referee.Difference.Kind;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The differences that stay and cannot be kept out of trials. docs/parity.md has them all, with the reasons, and says how
 * many there may be of each.
 */
enum Known {
    /**
     * A pod is to be spread, and would have to send others away, among pods that are leaving: those do not count as there,
     * but kube-scheduler counts one less for each of them that it imagines away.
     */
    SPREAD_AMONG_LEAVING("a spread among pods that are leaving", Kind.VICTIMS) {
        @Override
        boolean concerns(BerthCourt court, ObjectNode probe) {
            return court.present().stream().anyMatch(Known::leaving) && spreads(probe);
        }
    },
    /**
     * Who would have to go so that a claim for one pod alone becomes free: to kube-scheduler everybody who mounts a claim
     * of that name, in whatever namespace.
     */
    NAMESAKE_OF_CLAIM("a claim for one pod alone that has namesakes", Kind.VICTIMS) {
        @Override
        boolean concerns(BerthCourt court, ObjectNode probe) {
            Set<String> alone = alone(court, probe);
            return court.present().stream()
                    .filter(pod -> placed(pod) && !Objects.namespace(pod).equals(Objects.namespace(probe)))
                    .anyMatch(pod -> claims(pod).anyMatch(alone::contains));
        }
    },
    /** A claim for one pod alone that several pods use: to kube-scheduler it is free when one of them is imagined away. */
    CLAIM_IN_USE_TWICE("a claim for one pod alone that several use", Kind.VICTIMS) {
        @Override
        boolean concerns(BerthCourt court, ObjectNode probe) {
            Set<String> used = new HashSet<>();
            Set<String> alone = alone(court, probe);
            return court.present().stream()
                    .filter(pod -> placed(pod) && Objects.namespace(pod).equals(Objects.namespace(probe)))
                    .anyMatch(pod -> claims(pod).filter(alone::contains).anyMatch(claim -> !used.add(claim)));
        }
    },
    /** A place is kept for a nominated pod where it has one; kube-scheduler counts it where it has none, too. */
    NOMINATED_WITHOUT_ROOM("a nominated pod that its node has no room for", Kind.FEASIBLE, Kind.WORDS, Kind.VICTIMS) {
        @Override
        boolean concerns(BerthCourt court, ObjectNode probe) {
            return !court.nominated(probe, false).isEmpty();
        }

        @Override
        boolean comesTo(Rulings said, BerthCourt court, ObjectNode probe) {
            return agreeWithNomineesThere(said, court, probe);
        }
    },
    /**
     * Pods leave for one that is nominated, which gets their room: Berth counts it once, for whoever is there. To
     * kube-scheduler both are there.
     */
    NOMINATED_BEHIND_LEAVING("a nominated pod that others leave for", Kind.FEASIBLE, Kind.WORDS, Kind.VICTIMS) {
        @Override
        boolean concerns(BerthCourt court, ObjectNode probe) {
            Set<String> nodes = court.nominated(probe, true);
            return court.present().stream()
                    .anyMatch(pod -> leavingForAnother(pod)
                            && nodes.contains(pod.path("spec").path("nodeName").asText()));
        }

        @Override
        boolean comesTo(Rulings said, BerthCourt court, ObjectNode probe) {
            return agreeWithNomineesThere(said, court, probe);
        }
    },
    /** Where a place is kept its pod is no neighbour yet; to kube-scheduler it is, if a term speaks of all namespaces. */
    NOMINATED_AS_NEIGHBOUR("a nominated pod as a neighbour", Kind.FEASIBLE, Kind.WORDS, Kind.VICTIMS) {
        @Override
        boolean concerns(BerthCourt court, ObjectNode probe) {
            JsonNode affinity = probe.path("spec").path("affinity");
            boolean any = !court.nominated(probe, true).isEmpty()
                    || !court.nominated(probe, false).isEmpty();
            return any
                    && (affinity.path("podAffinity").findValue("namespaceSelector") != null
                            || affinity.path("podAntiAffinity").findValue("namespaceSelector") != null);
        }

        @Override
        boolean comesTo(Rulings said, BerthCourt court, ObjectNode probe) {
            return agreeWithNomineesThere(said, court, probe);
        }
    },
    /** What is kept for a nominated pod counts as used; to kube-scheduler it does not when nodes are scored. */
    SCORED_WITH_NOMINATED("the scores of nodes that pods are nominated to", Kind.SCORES, Kind.CHOICE) {
        @Override
        boolean concerns(BerthCourt court, ObjectNode probe) {
            return !court.nominated(probe, true).isEmpty();
        }

        /** With the same nodes to choose from, the scores are those that there would be without the nominated. */
        @Override
        boolean comesTo(Rulings said, BerthCourt court, ObjectNode probe) {
            Map<String, Long> without = court.scoresWithoutNominees(probe);
            Map<String, Long> scored = said.referee().feasible();
            return without.equals(scored) || !without.keySet().equals(scored.keySet());
        }
    },
    /**
     * Pods leave the node that is nominated for this one, and it will not do: kube-scheduler waits until they are gone,
     * Berth looks for another place.
     */
    LEAVING_IN_VAIN("pods that leave a nominated node in vain", Kind.VICTIMS) {
        @Override
        boolean concerns(BerthCourt court, ObjectNode probe) {
            JsonNode node = probe.path("status").path("nominatedNodeName");
            return court.present().stream()
                    .anyMatch(pod -> leavingForAnother(pod)
                            && pod.path("spec").path("nodeName").equals(node));
        }

        @Override
        boolean comesTo(Rulings said, BerthCourt court, ObjectNode probe) {
            return said.referee().refusal().endsWith("not eligible due to a terminating pod on the nominated node.");
        }
    };

    /** What both say of one pod. */
    record Rulings(Ruling berth, Ruling referee) {}

    private final String words;

    @SuppressWarnings("ImmutableEnumChecker") // Set.of makes one that nobody changes.
    private final Set<Kind> kinds;

    /** @param kinds what it may show in: mostly whom a pod would send away, not which nodes take it */
    Known(String words, Kind... kinds) {
        this.words = words;
        this.kinds = Set.of(kinds);
    }

    /** As docs/parity.md calls it. */
    String words() {
        return words;
    }

    /** Whether it may show when this pod is decided on. */
    abstract boolean concerns(BerthCourt court, ObjectNode probe);

    /** Whether it can have led to what the two say. */
    boolean comesTo(Rulings said, BerthCourt court, ObjectNode probe) {
        return true;
    }

    /** What explains a difference of such a kind, if anything does. */
    static Optional<Known> explaining(Kind kind, Rulings said, BerthCourt court, ObjectNode probe) {
        return Stream.of(values())
                .filter(known ->
                        known.kinds.contains(kind) && known.concerns(court, probe) && known.comesTo(said, court, probe))
                .findFirst();
    }

    /**
     * Whether both say the same once the nominated pods are on their nodes, room or not, but for whom the pod would send
     * away where they differ in that for another reason.
     */
    private static boolean agreeWithNomineesThere(Rulings said, BerthCourt court, ObjectNode probe) {
        return Difference.between(0, court.ruleWithNomineesThere(probe), said.referee())
                .filter(difference -> difference.kind() != Kind.SCORES && difference.kind() != Kind.CHOICE)
                .filter(difference -> difference.kind() != Kind.VICTIMS || !differInVictimsAnyway(court, probe))
                .isEmpty();
    }

    private static boolean differInVictimsAnyway(BerthCourt court, ObjectNode probe) {
        return Stream.of(SPREAD_AMONG_LEAVING, NAMESAKE_OF_CLAIM, CLAIM_IN_USE_TWICE)
                .anyMatch(known -> known.concerns(court, probe));
    }

    private static boolean leaving(ObjectNode object) {
        return placed(object) && object.path("metadata").has("deletionTimestamp");
    }

    private static boolean leavingForAnother(ObjectNode object) {
        return leaving(object)
                && object.path("status")
                        .path("conditions")
                        .findValuesAsText("reason")
                        .contains("PreemptionByScheduler");
    }

    private static boolean placed(ObjectNode object) {
        return Objects.kind(object).equals("Pod") && object.path("spec").has("nodeName");
    }

    private static boolean spreads(JsonNode pod) {
        for (JsonNode constraint : pod.path("spec").path("topologySpreadConstraints")) {
            if (constraint.path("whenUnsatisfiable").asText().equals("DoNotSchedule")) {
                return true;
            }
        }
        return false;
    }

    /** The names of the claims that the pod mounts and that only one pod may use. */
    private static Set<String> alone(BerthCourt court, ObjectNode probe) {
        Set<String> alone = new HashSet<>();
        court.present().stream()
                .filter(object -> Objects.kind(object).equals("PersistentVolumeClaim")
                        && Objects.namespace(object).equals(Objects.namespace(probe))
                        && object.path("spec").path("accessModes").toString().contains("ReadWriteOncePod"))
                .forEach(claim -> alone.add(Objects.name(claim)));
        alone.retainAll(claims(probe).toList());
        return alone;
    }

    private static Stream<String> claims(ObjectNode pod) {
        return pod.path("spec").path("volumes").findValuesAsText("claimName").stream();
    }
}
