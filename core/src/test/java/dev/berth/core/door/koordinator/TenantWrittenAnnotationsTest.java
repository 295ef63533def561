package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Owner;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.SchedulerScene;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A record on a pod is evidence of a claim and not an order: what tenants write on their pods changes no claim. */
class TenantWrittenAnnotationsTest {
    private static final String KOORDINATOR = "scheduling.koordinator.sh/reservation-allocated";
    private static final Owner BATCH = Owner.ofLabels(LabelSelector.of(Labels.of("app", "batch")));

    private final KoordinatorScene cluster = new KoordinatorScene();

    @Test
    void aForgedRecordOnAPodThatNoOwnerMatchesUsesNoReservation() {
        cluster.upsert(aNode("n1").with("8 cpu"))
                .createReservation(aReservation("r").requesting("4 cpu"));

        cluster.upsert(aPod("forger").asking("4 cpu").annotated(Claim.ANNOTATION, "koordinator/r"));

        assertThat(cluster.nodeOf("forger")).isEqualTo("n1");
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationStatus.ReservationPhase.AVAILABLE);
        assertThat(cluster.status("r").currentOwners()).isEmpty();
        assertThat(cluster.ledger().node("n1").orElseThrow().overcommitments()).isEmpty();
    }

    @Test
    void aRealPodWithTheAnnotationOfReservePodsIsAnOrdinaryPod() {
        cluster.upsert(aNode("n1").with("8 cpu"))
                .createReservation(aReservation("r").requesting("4 cpu"));

        cluster.upsert(aPod("forger")
                        .asking("4 cpu")
                        .annotated("scheduling.koordinator.sh/reserve-pod", "true")
                        .annotated("scheduling.koordinator.sh/reservation-name", "r"))
                .upsert(aPod("late").asking("1 cpu"));

        assertThat(cluster.nodeOf("forger")).isEqualTo("n1");
        assertThat(cluster.nodeOf("late"))
                .as("the forger and the reservation count, each once")
                .isEmpty();
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationStatus.ReservationPhase.AVAILABLE);
        cluster.deletePod("forger").restart();
        assertThat(cluster.nodeOf("late")).isEqualTo("n1");
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationStatus.ReservationPhase.AVAILABLE);
    }

    @Test
    void aForgedRecordOnAPodOfAnotherSchedulerUsesNoReservation() {
        cluster.upsert(aNode("n1").with("8 cpu"))
                .createReservation(aReservation("r").requesting("4 cpu"));

        cluster.upsert(aPod("forger").asking("4 cpu").on("n1").annotated(Claim.ANNOTATION, "koordinator/r"));
        cluster.restart();

        assertThat(cluster.status("r").phase()).isEqualTo(ReservationStatus.ReservationPhase.AVAILABLE);
        assertThat(free()).isZero();
    }

    @Test
    void bindOverwritesForgedRecordsWithAnEmptyValue() {
        cluster.upsert(aNode("n1").with("8 cpu"))
                .createReservation(aReservation("r").requesting("4 cpu"));

        cluster.upsert(aPod("forger")
                .asking("4 cpu")
                .annotated(Claim.ANNOTATION, "koordinator/r")
                .annotated(KOORDINATOR, "{\"name\":\"r\",\"uid\":\"r\"}"));

        assertThat(cluster.annotation("forger", Claim.ANNOTATION)).isEmpty();
        assertThat(cluster.annotation("forger", KOORDINATOR)).isEqualTo("{}");
    }

    @Test
    void recordOnAnUnboundPodIsReportedOnce() {
        cluster.upsert(aNode("n1").with("1 cpu"))
                .createReservation(aReservation("r").requesting("1 cpu"));

        cluster.upsert(aPod("forger").asking("4 cpu").annotated(Claim.ANNOTATION, "koordinator/r"))
                .relabel("forger", "a", "b");

        assertThat(reports()).hasSize(1);
        assertThat(reports().get(0)).contains("berth.dev/hold (koordinator/r)");
    }

    @Test
    void recordThatABoundPodForgesIsReportedOnce() {
        cluster.upsert(aNode("n1").with("8 cpu"))
                .upsert(aPod("forger").asking("4 cpu"))
                .createReservation(aReservation("r").requesting("4 cpu"));

        cluster.annotate("forger", Claim.ANNOTATION, "koordinator/r").relabel("forger", "a", "b");

        assertThat(reports()).hasSize(1);
        assertThat(cluster.status("r").currentOwners()).isEmpty();
    }

    @Test
    void recordThatBecomesFalseWhenTheReservationAppearsIsReported() {
        cluster.upsert(aNode("n1").with("8 cpu"))
                .upsert(aPod("forger").asking("4 cpu"))
                .annotate("forger", Claim.ANNOTATION, "koordinator/r");

        cluster.createReservation(aReservation("r").requesting("4 cpu"));

        assertThat(reports()).hasSize(1);
    }

    @Test
    void recordOfAReservationThatSucceededIsNotReported() {
        cluster.upsert(aNode("n1").with("8 cpu"))
                .createReservation(aReservation("r").requesting("4 cpu"));

        cluster.upsert(owner("a")).restart();

        assertThat(cluster.status("r").phase()).isEqualTo(ReservationStatus.ReservationPhase.SUCCEEDED);
        assertThat(reports()).isEmpty();
    }

    @Test
    void removingTheRecordFromAPodDoesNotReleaseItsClaim() {
        shared().upsert(owner("a"));

        cluster.annotate("a", Claim.ANNOTATION, "").annotate("a", KOORDINATOR, "");

        assertThat(users()).containsExactly("a");
        cluster.restart();
        assertThat(users()).containsExactly("a");
        assertThat(free()).isEqualTo(4000);
    }

    @Test
    void changingTheLabelsOfAPodDoesNotReleaseItsClaim() {
        shared().upsert(owner("a"));

        cluster.relabel("a", "app", "other");

        assertThat(users()).containsExactly("a");
        cluster.restart();
        assertThat(users()).containsExactly("a");
    }

    @Test
    void changedOwnersKeepTheClaimsThatWereMade() {
        shared().upsert(owner("a"));

        cluster.edit(aReservation("r").requesting("4 cpu").shared().forOwner(BATCH));

        assertThat(users()).containsExactly("a");
        cluster.restart();
        assertThat(users()).containsExactly("a");
        assertThat(free()).isEqualTo(4000);
    }

    @Test
    void ownersChangedBeforeTheStatusIsWrittenKeepTheClaim() {
        shared().setServerMode(SchedulerScene.ServerMode.DENYING);
        cluster.acceptBindsOnly().upsert(owner("a"));

        cluster.edit(aReservation("r").requesting("4 cpu").shared().forOwner(BATCH));

        assertThat(free()).isEqualTo(4000);
        cluster.annotate("a", Claim.ANNOTATION, "");
        assertThat(free()).isEqualTo(4000);
        cluster.setServerMode(SchedulerScene.ServerMode.ACCEPTING).advance(Duration.ofMinutes(1));
        assertThat(users()).containsExactly("a");
    }

    @Test
    void claimDoesNotMoveToTheReservationThatAnEditedRecordNames() {
        shared().createReservation(
                        aReservation("s").requesting("2 cpu").shared().forOwner(BATCH));
        cluster.upsert(owner("a"));
        cluster.relabel("a", "app", "batch").annotate("a", Claim.ANNOTATION, "koordinator/s");

        assertThat(users()).containsExactly("a");
        cluster.restart();
        assertThat(users()).containsExactly("a");
        assertThat(cluster.status("s").currentOwners()).isEmpty();
    }

    @Test
    void anAllocateOnceReservationWithTwoUsersListsBothInTheStatus() {
        shared().upsert(owner("a").asking("1 cpu")).upsert(owner("b").asking("1 cpu"));

        cluster.edit(aReservation("r").requesting("4 cpu"));

        assertThat(cluster.status("r").phase()).isEqualTo(ReservationStatus.ReservationPhase.SUCCEEDED);
        assertThat(users()).containsExactly("a", "b");
    }

    private KoordinatorScene shared() {
        return cluster.upsert(aNode("n1").with("8 cpu"))
                .createReservation(aReservation("r").requesting("4 cpu").shared());
    }

    private static PodBuilder owner(String name) {
        return aPod(name).asking("4 cpu").labelled("app", "web");
    }

    private List<String> users() {
        return cluster.status("r").currentOwners().stream()
                .map(CurrentOwner::name)
                .toList();
    }

    private List<String> reports() {
        return cluster.events.stream()
                .filter(event -> event.startsWith("InvalidAnnotation"))
                .toList();
    }

    private long free() {
        return cluster.ledger().node("n1").orElseThrow().free().get(ResourceName.CPU);
    }
}
