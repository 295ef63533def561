package dev.berth.core.door.godel;

import dev.berth.core.hold.HoldId;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** The Reservation that the watch shows after the door created it. */
public final class ReservationEcho {
    private ReservationEcho() {}

    public static GodelReservation of(GodelWrite.CreateReservation createReservation, String uid, Instant created) {
        Map<String, String> annotations = createReservation.annotations();
        boolean ofSet = "StatefulSet".equals(annotations.get(GodelAnnotations.OWNER_TYPE));
        return GodelReservation.builder(createReservation.namespace(), createReservation.name(), uid, created)
                .key(annotations.getOrDefault(GodelAnnotations.INDEX, ""))
                .originalPodUid(annotations.getOrDefault(GodelAnnotations.PLACEHOLDER_UID, ""))
                .nodeUid(annotations.getOrDefault(GodelAnnotations.NODE_UID, ""))
                .nodeName(createReservation.nodeName())
                .ttlSeconds(Optional.of(createReservation.ttl().toSeconds()))
                .size(createReservation.template().requests().plus(Resources.of(ResourceName.PODS, 1)))
                .hostPorts(createReservation.template().hostPorts())
                .statefulSetUid(ofSet ? annotations.getOrDefault(GodelAnnotations.OWNER_UID, "") : "")
                .statefulSetName(ofSet ? annotations.getOrDefault(GodelAnnotations.OWNER, "") : "")
                .draw(createReservation.draw())
                .claimedHold(Optional.ofNullable(annotations.get(GodelAnnotations.CLAIMED_HOLD))
                        .map(place -> new GodelReservation.ClaimedHold(
                                new HoldId(place), annotations.getOrDefault(GodelAnnotations.ORIGINAL_POD, ""))))
                .build();
    }
}
