package dev.berth.testkit.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Claim;
import dev.berth.sandbox.client.ListScope;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The pods whose claim only their record proved when the record, their labels or the owners were changed. If Berth is killed
 * before it writes the status of the Reservation, such a claim is lost: docs/decisions/records.md names that price.
 */
final class UnprovenClaims {
    private final Simulation cluster;
    private final Set<PodUid> changed = new HashSet<>();

    UnprovenClaims(Simulation cluster) {
        this.cluster = cluster;
    }

    /** Records or owners are about to be changed. */
    void beforeChange() {
        Set<String> listed = new HashSet<>();
        for (ObjectNode reservation : cluster.client().list(RandomOperations.RESERVATIONS, ListScope.ALL)) {
            for (JsonNode owner : reservation.path("status").path("currentOwners")) {
                listed.add(owner.path("uid").asText());
            }
        }
        for (Map.Entry<PodUid, Map<String, String>> bound :
                cluster.bindAnnotations().entrySet()) {
            if (bound.getValue().containsKey(Claim.ANNOTATION)
                    && !listed.contains(bound.getKey().value())) {
                changed.add(bound.getKey());
            }
        }
    }

    boolean contains(Pod pod) {
        return changed.contains(pod.uid());
    }
}
