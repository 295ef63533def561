package dev.berth.core.door.koordinator;

import static dev.berth.core.testing.Amounts.amounts;
import static dev.berth.core.testing.PodBuilder.aPod;

import dev.berth.core.hold.ReservationRecord;
import dev.berth.core.testing.PodBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Objects as Koordinator's scheduler leaves them, before Berth starts. */
final class UpgradeScene {
    private UpgradeScene() {}

    /** A pod of the label {@code app=web} that Koordinator's scheduler bound to n1 with the Reservation. */
    static PodBuilder allocatedPod(String name, String reservation, String... requests) {
        return aPod(name)
                .labelled("app", "web")
                .asking(requests)
                .on("n1")
                .annotated(ReservationRecord.ANNOTATION, ReservationRecord.valueOf(reservation, reservation));
    }

    /**
     * The status of a Reservation on n1. Koordinator writes no message on the conditions, and no time but that of the
     * placement.
     */
    static ReservationStatus available(Instant placed, String size, String allocated, String... owners) {
        return new ReservationStatus(
                ReservationStatus.ReservationPhase.AVAILABLE,
                "n1",
                amounts(size),
                amounts(allocated),
                currentOwners(owners),
                List.of(
                        condition(ReservationCondition.Type.SCHEDULED, true, "Scheduled", placed, placed),
                        condition(ReservationCondition.Type.READY, true, "Available", placed, placed)));
    }

    /** Of the last condition Koordinator sets the probe time alone. */
    static ReservationStatus succeeded(Instant placed, Instant used, String size, String owner) {
        return new ReservationStatus(
                ReservationStatus.ReservationPhase.SUCCEEDED,
                "n1",
                amounts(size),
                amounts(size),
                currentOwners(owner),
                List.of(
                        condition(ReservationCondition.Type.SCHEDULED, true, "Scheduled", placed, placed),
                        condition(ReservationCondition.Type.READY, false, "Succeeded", used, placed)));
    }

    private static List<CurrentOwner> currentOwners(String... pods) {
        List<CurrentOwner> owners = new ArrayList<>();
        Arrays.stream(pods).map(pod -> new CurrentOwner("default", pod, pod)).forEach(owners::add);
        owners.sort(Comparator.comparing(CurrentOwner::uid));
        return owners;
    }

    private static ReservationCondition condition(
            ReservationCondition.Type type, boolean isTrue, String reason, Instant probed, Instant changed) {
        return new ReservationCondition(type, isTrue, reason, "", probed, changed);
    }
}
