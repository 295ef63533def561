package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.door.koordinator.UpgradeScene.allocatedPod;
import static dev.berth.core.door.koordinator.UpgradeScene.available;
import static dev.berth.core.door.koordinator.UpgradeScene.succeeded;
import static dev.berth.core.testing.Amounts.amounts;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.door.koordinator.ReservationStatus.ReservationPhase;
import dev.berth.core.hold.Owner;
import dev.berth.core.hold.ReservationRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Berth takes over from Koordinator's scheduler: the pods that it bound keep their Reservations, and everything counts
 * once. Before the takeover Berth runs beside Koordinator's scheduler, so each test also shows that it counts the same
 * then, and writes nothing.
 */
class UpgradeFromKoordinatorTest {
    private final KoordinatorScene cluster = new KoordinatorScene();
    private final Instant placed = cluster.clock.instant().minus(Duration.ofDays(3));

    @BeforeEach
    void koordinatorsSchedulerRuns() {
        cluster.upsert(aNode("n1").with("8 cpu").created(placed.minusSeconds(60)))
                .restartYieldingTo(KoordinatorScene.SCHEDULER);
    }

    private KoordinatorScene takeOver() {
        assertThat(cluster.writes)
                .as("Berth writes no status while Koordinator's scheduler runs")
                .isZero();
        return cluster.restartServing(KoordinatorScene.SCHEDULER);
    }

    private List<String> owners(String reservation) {
        return cluster.status(reservation).currentOwners().stream()
                .map(CurrentOwner::name)
                .toList();
    }

    private List<String> reports() {
        return cluster.events.stream()
                .filter(event -> event.startsWith("InvalidAnnotation"))
                .toList();
    }

    @Test
    void thePodsOfASharedReservationCountOnceAndStayItsOwners() {
        cluster.createReservation(aReservation("r")
                        .requesting("6 cpu")
                        .shared()
                        .createdAt(placed)
                        .withStatus(available(placed, "6 cpu", "4 cpu", "a", "b")))
                .upsert(allocatedPod("a", "r", "2 cpu"))
                .upsert(allocatedPod("b", "r", "2 cpu"));
        assertThat(cluster.cpuFree("n1")).isEqualTo(2000);

        takeOver();

        assertThat(cluster.cpuFree("n1")).isEqualTo(2000);
        assertThat(owners("r")).containsExactly("a", "b");
        assertThat(cluster.status("r").allocated()).isEqualTo(amounts("4 cpu"));
        assertThat(cluster.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
        assertThat(cluster.status("r").scheduledAt()).hasValue(placed);

        cluster.upsert(aPod("c").labelled("app", "web").asking("2 cpu"));
        assertThat(owners("r")).containsExactly("a", "b", "c");
        assertThat(cluster.cpuFree("n1")).isEqualTo(2000);
        cluster.deletePod("a");
        assertThat(owners("r")).containsExactly("b", "c");
        assertThat(cluster.cpuFree("n1")).as("r holds the place of a again").isEqualTo(2000);
    }

    @Test
    void aPodThatTheStatusDoesNotListYetCountsByItsAnnotation() {
        cluster.createReservation(aReservation("r")
                        .requesting("6 cpu")
                        .shared()
                        .createdAt(placed)
                        .withStatus(available(placed, "6 cpu", "2 cpu", "a")))
                .upsert(allocatedPod("a", "r", "2 cpu"))
                .upsert(allocatedPod("bound-last", "r", "2 cpu"));
        assertThat(cluster.cpuFree("n1")).isEqualTo(2000);

        takeOver();

        assertThat(owners("r")).containsExactly("a", "bound-last");
        assertThat(cluster.status("r").allocated()).isEqualTo(amounts("4 cpu"));
        assertThat(cluster.cpuFree("n1")).isEqualTo(2000);
        assertThat(reports()).isEmpty();
    }

    @Test
    void anAllocateOnceReservationWithItsOwnerBoundBeforeTheStatusWasWrittenSucceeds() {
        cluster.createReservation(aReservation("r")
                        .requesting("6 cpu")
                        .createdAt(placed)
                        .withStatus(available(placed, "6 cpu", "0 cpu")))
                .upsert(allocatedPod("a", "r", "4 cpu"));
        assertThat(cluster.cpuFree("n1"))
                .as("the rest stays held until the status says Succeeded")
                .isEqualTo(2000);

        takeOver();

        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.SUCCEEDED);
        assertThat(owners("r")).containsExactly("a");
        assertThat(cluster.status("r").allocated()).isEqualTo(amounts("4 cpu"));
        assertThat(cluster.cpuFree("n1")).isEqualTo(4000);
        assertThat(reports()).isEmpty();
    }

    @Test
    void aSecondPodThatNamesAnAllocateOnceReservationCountsWithoutItAndIsReportedOnce() {
        cluster.createReservation(aReservation("r")
                        .requesting("3 cpu")
                        .createdAt(placed)
                        .withStatus(available(placed, "3 cpu", "0 cpu")))
                .upsert(allocatedPod("a", "r", "3 cpu"))
                .upsert(allocatedPod("b", "r", "3 cpu"));
        assertThat(cluster.cpuFree("n1")).isEqualTo(2000);

        takeOver().restart();

        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.SUCCEEDED);
        assertThat(owners("r")).containsExactly("a");
        assertThat(cluster.cpuFree("n1")).isEqualTo(2000);
        assertThat(reports())
                .as("once by the Berth beside Koordinator's scheduler, and once by the one that took over")
                .allSatisfy(event -> assertThat(event)
                        .contains(
                                "annotation scheduling.koordinator.sh/reservation-allocated has no effect",
                                "no claim on Reservation r",
                                "another pod used it up"))
                .hasSize(2);
    }

    @Test
    void aForgedAnnotationOfAPodThatNoOwnerMatchesUsesNothingAndIsReported() {
        cluster.createReservation(aReservation("r")
                        .requesting("4 cpu")
                        .shared()
                        .createdAt(placed)
                        .withStatus(available(placed, "4 cpu", "0 cpu")))
                .upsert(allocatedPod("forger", "r", "4 cpu").labelled("app", "batch"));

        takeOver();

        assertThat(owners("r")).isEmpty();
        assertThat(cluster.cpuFree("n1")).isZero();
        assertThat(reports())
                .isNotEmpty()
                .allSatisfy(event -> assertThat(event).contains("its owners do not match the pod"));
    }

    @Test
    void aListedPodThatTheOwnersNoLongerMatchKeepsItsPlace() {
        cluster.createReservation(aReservation("r")
                        .requesting("4 cpu")
                        .shared()
                        .createdAt(placed)
                        .forOwner(Owner.ofLabels(LabelSelector.of(Labels.of("app", "other"))))
                        .withStatus(available(placed, "4 cpu", "4 cpu", "a")))
                .upsert(allocatedPod("a", "r", "4 cpu"));

        takeOver();

        assertThat(owners("r")).containsExactly("a");
        assertThat(cluster.cpuFree("n1")).isEqualTo(4000);
        assertThat(reports()).isEmpty();
    }

    @Test
    void aSucceededReservationStaysAsItIsAndIsDeletedADayAfterItsEnd() {
        Instant used = cluster.clock.instant().minus(Duration.ofHours(1));
        ReservationStatus status = succeeded(placed, used, "4 cpu", "a");
        cluster.createReservation(
                        aReservation("r").requesting("4 cpu").createdAt(placed).withStatus(status))
                .upsert(allocatedPod("a", "r", "4 cpu"));

        takeOver();

        assertThat(cluster.cpuFree("n1")).isEqualTo(4000);
        assertThat(cluster.status("r")).isEqualTo(status);
        assertThat(cluster.writes).isZero();
        cluster.advance(Duration.ofHours(22));
        assertThat(cluster.exists("r"))
                .as("it was placed three days ago, but used an hour before the takeover")
                .isTrue();
        cluster.advance(Duration.ofHours(1));
        assertThat(cluster.exists("r")).isFalse();
    }

    @Test
    void theAnnotationOfAPodThatWasNotBoundIsOverwrittenByItsBind() {
        cluster.createReservation(aReservation("r")
                        .requesting("4 cpu")
                        .createdAt(placed)
                        .withStatus(available(placed, "4 cpu", "0 cpu")))
                .upsert(aPod("killed-before-bind")
                        .labelled("app", "batch")
                        .asking("1 cpu")
                        .annotated(ReservationRecord.ANNOTATION, ReservationRecord.valueOf("r", "r")));
        assertThat(cluster.nodeOf("killed-before-bind")).isEmpty();

        takeOver();

        assertThat(cluster.nodeOf("killed-before-bind")).isEqualTo("n1");
        assertThat(cluster.annotation("killed-before-bind", ReservationRecord.ANNOTATION))
                .isEqualTo("{}");
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.AVAILABLE);
        assertThat(reports()).isEmpty();
    }

    @Test
    void aPendingReservationIsPlacedAtTheTakeover() {
        cluster.createReservation(aReservation("r").requesting("4 cpu").shared().createdAt(cluster.clock.instant()));
        cluster.advance(Duration.ofSeconds(59));
        assertThat(cluster.status("r")).isEqualTo(ReservationStatus.ABSENT);

        takeOver();

        assertThat(cluster.status("r").nodeName()).isEqualTo("n1");
    }

    @Test
    void aReservationThatNoSchedulerSeesSaysWhyBerthDoesNotPlaceIt() {
        cluster.createReservation(aReservation("r").requesting("4 cpu").shared())
                .advance(Duration.ofSeconds(60));

        assertThat(cluster.conditions("r")).isEqualTo("Scheduled=false/SchedulerNotServed");
        assertThat(cluster.events)
                .singleElement()
                .asString()
                .contains(
                        "Berth does not serve schedulerName (koord-scheduler) now",
                        "its own scheduler holds the Lease koordinator-system/koord-scheduler");
        cluster.restartServing(KoordinatorScene.SCHEDULER);
        assertThat(cluster.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
    }
}
