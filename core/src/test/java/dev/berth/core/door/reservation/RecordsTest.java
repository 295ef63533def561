package dev.berth.core.door.reservation;

import static dev.berth.core.door.reservation.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Owner;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A record on a pod is evidence of a claim and not an order: what tenants write on their pods changes no claim. */
class RecordsTest {
    private static final String KOORDINATOR = "scheduling.koordinator.sh/reservation-allocated";
    private static final Owner BATCH =
            new Owner(Optional.empty(), Optional.empty(), Optional.of(LabelSelector.of(Labels.of("app", "batch"))));

    private final Scene scene = new Scene();

    @Test
    void podThatNoOwnerRuleMatchesSpendsNothingWithAForgedRecord() {
        scene.node(aNode("n1").with("8 cpu")).reservation(aReservation("r").keeping("4 cpu"));

        scene.pod(aPod("forger").asking("4 cpu").annotated(Claim.ANNOTATION, "reservation/r"));

        assertThat(scene.nodeOf("forger")).contains("n1");
        assertThat(scene.status("r").phase()).isEqualTo(Status.Phase.AVAILABLE);
        assertThat(scene.status("r").currentOwners()).isEmpty();
        assertThat(scene.ledger().node("n1").orElseThrow().overcommitments()).isEmpty();
    }

    @Test
    void forgedRecordOnAPodOfAnotherSchedulerSpendsNothing() {
        scene.node(aNode("n1").with("8 cpu")).reservation(aReservation("r").keeping("4 cpu"));

        scene.pod(aPod("forger").asking("4 cpu").on("n1").annotated(Claim.ANNOTATION, "reservation/r"));
        scene.restart();

        assertThat(scene.status("r").phase()).isEqualTo(Status.Phase.AVAILABLE);
        assertThat(free()).isZero();
    }

    @Test
    void bindOverwritesForgedRecordsWithAnEmptyValue() {
        scene.node(aNode("n1").with("8 cpu")).reservation(aReservation("r").keeping("4 cpu"));

        scene.pod(aPod("forger")
                .asking("4 cpu")
                .annotated(Claim.ANNOTATION, "reservation/r")
                .annotated(KOORDINATOR, "{\"name\":\"r\",\"uid\":\"r\"}"));

        assertThat(scene.annotation("forger", Claim.ANNOTATION)).isEmpty();
        assertThat(scene.annotation("forger", KOORDINATOR)).isEqualTo("{}");
    }

    @Test
    void recordOnAnUnboundPodIsReportedOnce() {
        scene.node(aNode("n1").with("1 cpu")).reservation(aReservation("r").keeping("1 cpu"));

        scene.pod(aPod("forger").asking("4 cpu").annotated(Claim.ANNOTATION, "reservation/r"))
                .relabel("forger", "a", "b");

        assertThat(reports()).hasSize(1);
        assertThat(reports().get(0)).contains("berth.dev/hold (reservation/r)");
    }

    @Test
    void recordThatABoundPodForgesIsReportedOnce() {
        scene.node(aNode("n1").with("8 cpu"))
                .pod(aPod("forger").asking("4 cpu"))
                .reservation(aReservation("r").keeping("4 cpu"));

        scene.annotate("forger", Claim.ANNOTATION, "reservation/r").relabel("forger", "a", "b");

        assertThat(reports()).hasSize(1);
        assertThat(scene.status("r").currentOwners()).isEmpty();
    }

    @Test
    void recordThatBecomesFalseWhenTheReservationAppearsIsReported() {
        scene.node(aNode("n1").with("8 cpu"))
                .pod(aPod("forger").asking("4 cpu"))
                .annotate("forger", Claim.ANNOTATION, "reservation/r");

        scene.reservation(aReservation("r").keeping("4 cpu"));

        assertThat(reports()).hasSize(1);
    }

    @Test
    void recordOfAReservationThatSucceededIsNotReported() {
        scene.node(aNode("n1").with("8 cpu")).reservation(aReservation("r").keeping("4 cpu"));

        scene.pod(owner("a")).restart();

        assertThat(scene.status("r").phase()).isEqualTo(Status.Phase.SUCCEEDED);
        assertThat(reports()).isEmpty();
    }

    @Test
    void removedRecordFreesNothing() {
        shared().pod(owner("a"));

        scene.annotate("a", Claim.ANNOTATION, "").annotate("a", KOORDINATOR, "");

        assertThat(users()).containsExactly("a");
        scene.restart();
        assertThat(users()).containsExactly("a");
        assertThat(free()).isEqualTo(4000);
    }

    @Test
    void changedLabelsFreeNothing() {
        shared().pod(owner("a"));

        scene.relabel("a", "app", "other");

        assertThat(users()).containsExactly("a");
        scene.restart();
        assertThat(users()).containsExactly("a");
    }

    @Test
    void changedOwnersKeepTheClaimsThatWereMade() {
        shared().pod(owner("a"));

        scene.edit(aReservation("r").keeping("4 cpu").shared().forOwner(BATCH));

        assertThat(users()).containsExactly("a");
        scene.restart();
        assertThat(users()).containsExactly("a");
        assertThat(free()).isEqualTo(4000);
    }

    @Test
    void ownersChangedBeforeTheStatusIsWrittenKeepTheClaim() {
        shared().server(Scene.Mood.DENYING);
        scene.bindsOnly().pod(owner("a"));

        scene.edit(aReservation("r").keeping("4 cpu").shared().forOwner(BATCH));

        assertThat(free()).isEqualTo(4000);
        scene.annotate("a", Claim.ANNOTATION, "");
        assertThat(free()).isEqualTo(4000);
        scene.server(Scene.Mood.TAKING).pass(Duration.ofMinutes(1));
        assertThat(users()).containsExactly("a");
    }

    @Test
    void claimDoesNotMoveToTheReservationThatAnEditedRecordNames() {
        shared().reservation(aReservation("s").keeping("2 cpu").shared().forOwner(BATCH));
        scene.pod(owner("a"));
        scene.relabel("a", "app", "batch").annotate("a", Claim.ANNOTATION, "reservation/s");

        assertThat(users()).containsExactly("a");
        scene.restart();
        assertThat(users()).containsExactly("a");
        assertThat(scene.status("s").currentOwners()).isEmpty();
    }

    @Test
    void onceWithTwoUsersKeepsBothOfThemInTheStatus() {
        shared().pod(owner("a").asking("1 cpu")).pod(owner("b").asking("1 cpu"));

        scene.edit(aReservation("r").keeping("4 cpu"));

        assertThat(scene.status("r").phase()).isEqualTo(Status.Phase.SUCCEEDED);
        assertThat(users()).containsExactly("a", "b");
    }

    private Scene shared() {
        return scene.node(aNode("n1").with("8 cpu"))
                .reservation(aReservation("r").keeping("4 cpu").shared());
    }

    private static PodBuilder owner(String name) {
        return aPod(name).asking("4 cpu").labelled("app", "web");
    }

    private List<String> users() {
        return scene.status("r").currentOwners().stream()
                .map(CurrentOwner::name)
                .toList();
    }

    private List<String> reports() {
        return scene.events.stream()
                .filter(event -> event.startsWith("FalseRecord"))
                .toList();
    }

    private long free() {
        return scene.ledger().node("n1").orElseThrow().free().get(ResourceName.CPU);
    }
}
