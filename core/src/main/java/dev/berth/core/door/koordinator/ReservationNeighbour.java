package dev.berth.core.door.koordinator;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodSpec;

/** The pod that a placed reservation counts as for the affinity, the spread and the volumes of other pods. */
final class ReservationNeighbour {
    private static final PodSpec WITHOUT_AFFINITY = PodSpec.builder().build();

    private ReservationNeighbour() {}

    /** Has only what affinity, spread and volumes read, so that other edits of the template do not change it. */
    static Pod of(Reservation reservation, ReservationSpec.Template template) {
        return Pod.builder(Reservation.reservePodUid(reservation.uid()), template.namespace(), reservation.name())
                .labels(template.labels())
                .volumes(template.volumes())
                .spec(
                        template.spec().podAffinity().isEmpty()
                                ? WITHOUT_AFFINITY
                                : PodSpec.builder()
                                        .podAffinity(template.spec().podAffinity())
                                        .build())
                .build();
    }
}
