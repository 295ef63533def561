package dev.berth.core.door.comeback;

import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.ReturnKey;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** What the watch shows of a Reservation that this door has created. */
public final class CreatedReservation {
    private CreatedReservation() {}

    public static Placeholder of(ComebackWrite.Create create, String uid, Instant created) {
        Map<String, String> annotations = create.annotations();
        boolean ofSet = "StatefulSet".equals(annotations.get(Words.OWNER_TYPE));
        return Placeholder.builder(create.namespace(), create.name(), uid, created)
                .key(annotations.getOrDefault(ReturnKey.INDEX, ""))
                .podUid(annotations.getOrDefault(Words.PLACEHOLDER_UID, ""))
                .nodeUid(annotations.getOrDefault(Words.NODE_UID, ""))
                .node(create.node())
                .ttl(Optional.of(create.ttl().toSeconds()))
                .size(create.template().requests().plus(Resources.of(ResourceName.PODS, 1)))
                .ports(create.template().ports())
                .statefulSetUid(ofSet ? annotations.getOrDefault(Words.OWNER_UID, "") : "")
                .statefulSet(ofSet ? annotations.getOrDefault(Words.OWNER, "") : "")
                .draw(create.draw())
                .took(Optional.ofNullable(annotations.get(Words.TOOK))
                        .map(place -> new Placeholder.Took(
                                new HoldId(place), annotations.getOrDefault(Words.ORIGINAL_POD, ""))))
                .build();
    }
}
