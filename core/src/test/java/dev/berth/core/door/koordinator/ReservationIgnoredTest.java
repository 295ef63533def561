package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodAffinity;
import dev.berth.core.cluster.PodAffinityTerm;
import dev.berth.core.cluster.PodSpec;
import dev.berth.core.cluster.ReservationAffinity;
import dev.berth.core.cluster.ReservationConstraints;
import dev.berth.core.door.RecordAnnotations;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.Overcommitment;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.Placement;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.Scenario;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A pod with the label reservation-ignored is placed as if there were no Reservations. */
class ReservationIgnoredTest {
    private static final Duration A_WHILE = Duration.ofSeconds(30);

    private final KoordinatorScene scene =
            new KoordinatorScene().withPreemption().upsert(aNode("n1").with("8 cpu", "3 pods"));

    private static PodBuilder ignoring(String cpu) {
        return aPod("ignoring").asking(cpu).ignoringReservations();
    }

    private static PodBuilder owner(String cpu) {
        return aPod("owner").labelled("app", "web").asking(cpu);
    }

    private String readyMessage() {
        return scene.status("r")
                .findCondition(ReservationCondition.Type.READY)
                .orElseThrow()
                .message();
    }

    @Test
    @Scenario(74)
    void podUsesFreeAndReservedResourcesAndIsNotAnOwnerAlthoughItMatchesTheOwners() {
        scene.createReservation(aReservation("r").requesting("6 cpu").shared());

        scene.upsert(ignoring("8 cpu").labelled("app", "web"));

        assertThat(scene.nodeOf("ignoring")).isEqualTo("n1");
        assertThat(scene.ledger().claimBy(scene.pod("ignoring").uid())).isEmpty();
        assertThat(scene.annotation("ignoring", RecordAnnotations.KOORDINATOR_RESERVATION_ALLOCATED))
                .isEmpty();
        assertThat(scene.status("r").currentOwners()).isEmpty();
        assertThat(scene.events).noneMatch(event -> event.contains("is for this pod"));
    }

    @Test
    @Scenario(74)
    void podThatNeedsMoreThanTheNodeHasWithoutReservationsWaitsWithTheReasonOfTheNodeAlone() {
        scene.createReservation(aReservation("r").requesting("6 cpu").shared())
                .upsert(aPod("other").asking("1 cpu"));

        scene.upsert(ignoring("8 cpu").labelled("app", "web"));

        assertThat(scene.nodeOf("ignoring")).isEmpty();
        assertThat(scene.unschedulableMessages.get("ignoring"))
                .contains("0/1 nodes are available: 1 Insufficient cpu.")
                .doesNotContain("Reservation");
    }

    @Test
    @Scenario(74)
    void labelWinsOverAReservationAffinity() {
        scene.createReservation(aReservation("r").requesting("6 cpu").shared());

        scene.upsert(ignoring("7 cpu")
                .labelled("app", "web")
                .withSpec(spec ->
                        spec.reservations(ReservationConstraints.ofAffinity(ReservationAffinity.ofName("missing")))));

        assertThat(scene.nodeOf("ignoring")).isEqualTo("n1");
        assertThat(scene.status("r").currentOwners()).isEmpty();
    }

    @Test
    @Scenario(74)
    void hostPortsAndPodSlotsOfReservationsDoNotBlockThePod() {
        scene.createReservation(aReservation("r1").requesting("1 cpu").requestingHostPort(80))
                .createReservation(aReservation("r2").requesting("1 cpu"))
                .createReservation(aReservation("r3").requesting("1 cpu"));

        scene.upsert(aPod("stranger").asking("1 cpu").withHostPort(80))
                .upsert(ignoring("1 cpu").withHostPort(80));

        assertThat(scene.nodeOf("stranger")).isEmpty();
        assertThat(scene.nodeOf("ignoring")).isEqualTo("n1");
    }

    @Test
    @Scenario(74)
    void reservationsAreNoNeighboursOfThePod() {
        PodAffinity apart = new PodAffinity(
                List.of(),
                List.of(new PodAffinityTerm(
                        Node.HOSTNAME_LABEL,
                        Optional.of(LabelSelector.of(Labels.of("group", "g"))),
                        List.of(),
                        Optional.empty())),
                List.of());
        scene.createReservation(aReservation("r")
                .requesting("1 cpu")
                .withTemplateLabel("group", "g")
                .withTemplate((PodSpec.Builder spec) -> spec.podAffinity(apart)));

        scene.upsert(aPod("stranger").labelled("group", "g").asking("1 cpu").withSpec(spec -> spec.podAffinity(apart)))
                .upsert(ignoring("1 cpu").labelled("group", "g").withSpec(spec -> spec.podAffinity(apart)));

        assertThat(scene.nodeOf("stranger")).isEmpty();
        assertThat(scene.nodeOf("ignoring")).isEqualTo("n1");
    }

    @Test
    void holdsOfOtherDoorsStillBlockThePod() {
        scene.ledger()
                .put(aHold("g")
                        .on("n1")
                        .keeping("6 cpu")
                        .forPodsLabelled("app", "other")
                        .until(Instant.MAX)
                        .from(Origin.DoorId.GODEL, "Reservation g")
                        .build());

        scene.upsert(ignoring("3 cpu"));

        assertThat(scene.nodeOf("ignoring")).isEmpty();
        assertThat(scene.unschedulableMessages.get("ignoring")).contains("6 held by Reservation g");
    }

    @Test
    void aReservationWhoseResourcesThePodTookSaysSoAndNamesThePodAndItsLabel() {
        scene.createReservation(aReservation("r").requesting("6 cpu").shared());

        scene.upsert(ignoring("4 cpu"));

        String message = "node n1 is over-committed: 2 cpu of what is reserved there are not available; pods there that"
                + " use no hold: default/ignoring (scheduler koord-scheduler, label"
                + " scheduling.koordinator.sh/reservation-ignored)";
        assertThat(readyMessage()).isEqualTo(message);
        assertThat(scene.eventTargetsOf("Overcommitted")).containsExactlyInAnyOrder("Reservation r", "Node n1");
        assertThat(scene.ledger().node("n1").orElseThrow().overcommitments())
                .singleElement()
                .satisfies(it -> assertThat(it.resource()).isEqualTo(ResourceName.CPU))
                .extracting(Overcommitment::cause)
                .isEqualTo(Overcommitment.Cause.HOLDS);

        scene.deletePod("ignoring").advance(A_WHILE);

        assertThat(scene.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
    }

    @Test
    @Scenario(76)
    void anOwnerOfHigherPriorityPreemptsThePodAndUsesTheReservation() {
        scene.createReservation(aReservation("r").requesting("8 cpu").shared())
                .upsert(ignoring("8 cpu").ofPriority(1))
                .upsert(owner("8 cpu").ofPriority(10));
        assertThat(scene.podWrites()).containsExactly("nominate owner to n1", "mark ignoring", "delete ignoring");

        scene.deletePod("ignoring").advance(A_WHILE);

        assertThat(scene.nodeOf("owner")).isEqualTo("n1");
        assertThat(scene.status("r").currentOwners())
                .extracting(CurrentOwner::name)
                .containsExactly("owner");
    }

    @Test
    @Scenario(76)
    void anOwnerOfTheSamePriorityWaitsUntilThePodWasDeleted() {
        scene.createReservation(aReservation("r").requesting("8 cpu").shared())
                .upsert(ignoring("8 cpu"))
                .upsert(owner("8 cpu"));
        assertThat(scene.nodeOf("owner")).isEmpty();
        assertThat(scene.podWrites()).isEmpty();
        assertThat(scene.unschedulableMessages.get("owner"))
                .contains(
                        "Reservation r on node n1 is for this pod, but the pod cannot use it: the node is over-committed");

        scene.deletePod("ignoring").advance(A_WHILE);

        assertThat(scene.nodeOf("owner")).isEqualTo("n1");
    }

    @Test
    void aPodThatIgnoresReservationsCanPreemptAnOwnerInsideOne() {
        scene.createReservation(aReservation("r").requesting("8 cpu").shared())
                .upsert(owner("8 cpu").ofPriority(1))
                .upsert(ignoring("8 cpu").ofPriority(10));
        assertThat(scene.podWrites()).containsExactly("nominate ignoring to n1", "mark owner", "delete owner");

        scene.deletePod("owner").advance(A_WHILE);

        assertThat(scene.nodeOf("ignoring")).isEqualTo("n1");
        assertThat(scene.status("r").currentOwners()).isEmpty();
        assertThat(scene.conditions("r")).contains("Ready=false/Overcommitted");
    }

    /** The nomination of a pod that matches the owners does not draw on the Reservation: the pod could not use it. */
    @Test
    void aPodThatMatchesTheOwnersAndIgnoresReservationsUsesItsNominationButNotTheReservation() {
        scene.createReservation(aReservation("r").requesting("8 cpu").shared())
                .upsert(owner("8 cpu").ofPriority(1))
                .upsert(ignoring("8 cpu").labelled("app", "web").ofPriority(10));

        scene.deletePod("owner").advance(A_WHILE);

        assertThat(scene.nodeOf("ignoring")).isEqualTo("n1");
        assertThat(scene.ledger().claimBy(scene.pod("ignoring").uid())).isEmpty();
        assertThat(scene.status("r").currentOwners()).isEmpty();
    }

    @Test
    void anOwnerKeepsItsClaimWhenItGetsTheLabelLater() {
        scene.createReservation(aReservation("r").requesting("8 cpu").shared()).upsert(owner("8 cpu"));

        scene.changePod(
                "owner",
                pod -> pod.labels(scene.pod("owner").labels().with(ReservationConstraints.IGNORED_LABEL, "true"))
                        .spec(scene.pod("owner").spec().toBuilder()
                                .reservations(
                                        new ReservationConstraints(Optional.empty(), List.of(), Optional.empty(), true))
                                .build()));
        assertThat(scene.status("r").currentOwners())
                .extracting(CurrentOwner::name)
                .containsExactly("owner");

        scene.restart();

        assertThat(scene.status("r").currentOwners())
                .extracting(CurrentOwner::name)
                .containsExactly("owner");
        assertThat(scene.ledger().node("n1").orElseThrow().overcommitments()).isEmpty();
    }

    @Test
    void afterARestartThePodStillUsesItsPlaceAndTheReservationStillSaysSo() {
        scene.createReservation(aReservation("r").requesting("8 cpu").shared()).upsert(ignoring("8 cpu"));

        scene.restart();

        assertThat(scene.nodeOf("ignoring")).isEqualTo("n1");
        assertThat(scene.conditions("r")).contains("Ready=false/Overcommitted");
        assertThat(scene.status("r").isAvailable()).isTrue();
    }

    @Test
    void aReservationItselfNeverTakesResourcesOfOthersWhateverItsTemplateSays() {
        scene.createReservation(aReservation("first").requesting("8 cpu"));

        scene.createReservation(aReservation("second")
                .requesting("1 cpu")
                .withTemplateLabel(ReservationConstraints.IGNORED_LABEL, "true"));

        assertThat(scene.status("second").isAvailable()).isFalse();
    }

    /** The extender and doors call the filter with the use NONE for requests that are not pods. */
    @Test
    void aPlacementWithoutHoldsSeesEveryReservation() {
        scene.createReservation(aReservation("r").requesting("8 cpu"));
        Pod pod = ignoring("1 cpu").build();
        Placer placer = new Placer(scene.ledger(), ScoreWeights.DEFAULT);

        assertThat(placer.place(pod, HoldUse.NONE)).isInstanceOf(Placement.Refused.class);
        assertThat(placer.filter(pod, List.of("n1")).get("n1")).isEmpty();
    }
}
