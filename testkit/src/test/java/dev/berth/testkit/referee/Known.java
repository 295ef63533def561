package dev.berth.testkit.referee;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.HashSet;
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
    SPREAD_AMONG_LEAVING("a spread among pods that are leaving") {
        @Override
        boolean concerns(Collection<ObjectNode> present, ObjectNode probe) {
            return present.stream().anyMatch(Known::leaving) && spreads(probe);
        }
    },
    /**
     * Who would have to go so that a claim for one pod alone becomes free: to kube-scheduler everybody who mounts a claim
     * of that name, in whatever namespace.
     */
    NAMESAKE_OF_CLAIM("a claim for one pod alone that has namesakes") {
        @Override
        boolean concerns(Collection<ObjectNode> present, ObjectNode probe) {
            Set<String> alone = alone(present, probe);
            return present.stream()
                    .filter(pod -> placed(pod) && !Objects.namespace(pod).equals(Objects.namespace(probe)))
                    .anyMatch(pod -> claims(pod).anyMatch(alone::contains));
        }
    },
    /** A claim for one pod alone that several pods use: to kube-scheduler it is free when one of them is imagined away. */
    CLAIM_IN_USE_TWICE("a claim for one pod alone that several use") {
        @Override
        boolean concerns(Collection<ObjectNode> present, ObjectNode probe) {
            Set<String> used = new HashSet<>();
            Set<String> alone = alone(present, probe);
            return present.stream()
                    .filter(pod -> placed(pod) && Objects.namespace(pod).equals(Objects.namespace(probe)))
                    .anyMatch(pod -> claims(pod).filter(alone::contains).anyMatch(claim -> !used.add(claim)));
        }
    };

    private final String words;

    Known(String words) {
        this.words = words;
    }

    /** As docs/parity.md calls it. */
    String words() {
        return words;
    }

    /** Whether it may show when the pod is to send others away, in a cluster of these objects. */
    abstract boolean concerns(Collection<ObjectNode> present, ObjectNode probe);

    /** What explains a difference, if anything does. */
    static Optional<Known> explaining(Difference difference, Collection<ObjectNode> present, ObjectNode probe) {
        return difference.kind() != Difference.Kind.VICTIMS
                ? Optional.empty()
                : Stream.of(values())
                        .filter(known -> known.concerns(present, probe))
                        .findFirst();
    }

    private static boolean leaving(ObjectNode object) {
        return placed(object) && object.path("metadata").has("deletionTimestamp");
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
    private static Set<String> alone(Collection<ObjectNode> present, ObjectNode probe) {
        Set<String> alone = new HashSet<>();
        present.stream()
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
