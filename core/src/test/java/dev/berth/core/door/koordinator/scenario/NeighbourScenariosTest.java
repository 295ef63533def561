package dev.berth.core.door.koordinator.scenario;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.PodAffinity;
import dev.berth.core.cluster.PodAffinityTerm;
import dev.berth.core.cluster.PodSpec;
import dev.berth.core.cluster.TopologySpreadConstraint;
import dev.berth.core.door.koordinator.KoordinatorScene;
import dev.berth.core.door.koordinator.ReservationBuilder;
import dev.berth.core.door.koordinator.ReservationStatus;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.Scenario;
import dev.berth.core.testing.SchedulerScene.ServerMode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Placed Reservations count as pods for affinity and spread, for all pods but their owners. */
class NeighbourScenariosTest {
    private static final LabelSelector GROUP = LabelSelector.of(Labels.of("group", "g"));

    private static final Duration BACKOFF = Duration.ofSeconds(10);

    private final KoordinatorScene scene = new KoordinatorScene();

    @Test
    @Scenario(106)
    void ownerWithTheSameAntiAffinityUsesItsReservation() {
        scene.upsert(aNode("n1").with("8 cpu")).upsert(aNode("n2").with("8 cpu"));
        scene.createReservation(separated("r").onNode("n1"));

        scene.upsert(owner("owner"));

        assertThat(scene.nodeOf("owner")).isEqualTo("n1");
        assertThat(scene.status("r").phase()).isEqualTo(ReservationStatus.ReservationPhase.SUCCEEDED);
    }

    @Test
    @Scenario(107)
    void nonOwnerWithTheSameAntiAffinityStaysPendingOnTheNodeOfTheReservation() {
        scene.upsert(aNode("n1").with("8 cpu"));
        scene.createReservation(separated("r"));

        scene.upsert(stranger("stranger"));

        assertThat(scene.nodeOf("stranger")).isEmpty();
        assertThat(scene.unschedulableMessages.get("stranger"))
                .contains("1 node(s) didn't match pod anti-affinity rules (because of Reservation r)");
    }

    @Test
    @Scenario(107)
    void antiAffinityOfTheTemplateKeepsOtherPodsAway() {
        scene.upsert(aNode("n1").with("8 cpu"));
        scene.createReservation(separated("r"));

        scene.upsert(aPod("plain").labelled("group", "g").asking("1 cpu"));

        assertThat(scene.unschedulableMessages.get("plain"))
                .contains("1 node(s) didn't satisfy existing pods anti-affinity rules (because of Reservation r)");
    }

    @Test
    @Scenario({106, 107})
    void threeReservationsWithAntiAffinityAmongThemselvesAndTheirOwnersAreOnThreeNodes() {
        Stream.of("n1", "n2", "n3").forEach(node -> scene.upsert(aNode(node).with("8 cpu")));
        Stream.of("r1", "r2", "r3").forEach(name -> scene.createReservation(separated(name)));
        assertThat(nodesOfReservations("r1", "r2", "r3")).containsExactlyInAnyOrder("n1", "n2", "n3");

        scene.upsert(owner("a")).upsert(owner("b")).upsert(owner("c"));

        assertThat(Stream.of("a", "b", "c").map(scene::nodeOf)).containsExactlyInAnyOrder("n1", "n2", "n3");
    }

    @Test
    @Scenario(107)
    void reservationWithoutNodeApartFromOtherReservationsIsPlacedWhenOneOfThemIsDeleted() {
        scene.upsert(aNode("n1").with("8 cpu"));
        scene.createReservation(separated("first")).createReservation(separated("second"));
        assertThat(scene.status("second").nodeName()).isEmpty();

        scene.deleteReservation("first").advance(BACKOFF);

        assertThat(scene.status("second").nodeName()).isEqualTo("n1");
    }

    @Test
    @Scenario(107)
    void nonOwnerIsPlacedWhenTheReservationIsDeleted() {
        scene.upsert(aNode("n1").with("8 cpu"));
        scene.createReservation(separated("r")).upsert(stranger("stranger"));
        assertThat(scene.nodeOf("stranger")).isEmpty();

        scene.deleteReservation("r").advance(BACKOFF);

        assertThat(scene.nodeOf("stranger")).isEqualTo("n1");
    }

    @Test
    @Scenario(107)
    void nonOwnerIsPlacedWhenAnOwnerWithOtherLabelsTakesThePlaceOfTheReservation() {
        scene.upsert(aNode("n1").with("8 cpu"));
        scene.createReservation(separated("r")).upsert(stranger("stranger"));
        assertThat(scene.nodeOf("stranger")).isEmpty();

        scene.upsert(aPod("owner").labelled("app", "web").asking("1 cpu")).advance(BACKOFF);

        assertThat(scene.nodeOf("owner")).isEqualTo("n1");
        assertThat(scene.nodeOf("stranger")).isEqualTo("n1");
    }

    @Test
    void reservationCountsAgainWhenTheBindOfItsOwnerFails() {
        scene.upsert(aNode("n1").with("8 cpu"));
        scene.createReservation(separated("r"));
        scene.setServerMode(ServerMode.DENYING).upsert(owner("owner"));
        assertThat(scene.nodeOf("owner")).isEmpty();

        scene.deletePod("owner").setServerMode(ServerMode.ACCEPTING).upsert(stranger("stranger"));

        assertThat(scene.nodeOf("stranger")).isEmpty();
    }

    @Test
    @Scenario({106, 107})
    void restartedSchedulerSeesTheSameNeighbours() {
        scene.upsert(aNode("n1").with("8 cpu")).upsert(aNode("n2").with("8 cpu"));
        scene.createReservation(separated("r").onNode("n1")).restart();

        scene.upsert(stranger("stranger")).upsert(owner("owner"));

        assertThat(scene.nodeOf("stranger")).isEqualTo("n2");
        assertThat(scene.nodeOf("owner")).isEqualTo("n1");
    }

    @Test
    @Scenario(108)
    void fourOwnersSpreadOverTwoNodesOfWhichOneHasTheReservation() {
        scene.upsert(aNode("n1").with("8 cpu")).upsert(aNode("n2").with("8 cpu"));
        scene.createReservation(aReservation("r")
                .requesting("1 cpu")
                .withTemplateLabel("group", "g")
                .withTemplate(spec -> spec.topologySpreadConstraints(List.of(overHosts())))
                .onNode("n1"));

        Stream.of("a", "b", "c", "d")
                .forEach(name -> scene.upsert(aPod(name)
                        .labelled("app", "web")
                        .labelled("group", "g")
                        .asking("1 cpu")
                        .withSpec(spec -> spec.topologySpreadConstraints(List.of(overHosts())))));

        assertThat(Stream.of("a", "b", "c", "d").map(scene::nodeOf)).containsExactlyInAnyOrder("n1", "n1", "n2", "n2");
        assertThat(scene.status("r").currentOwners()).hasSize(1);
    }

    @Test
    @Scenario(108)
    void nonOwnerIsSpreadFromTheReservation() {
        scene.upsert(aNode("n1").with("8 cpu")).upsert(aNode("n2").with("4 cpu"));
        scene.createReservation(aReservation("r")
                .requesting("1 cpu")
                .withTemplateLabel("group", "g")
                .onNode("n1"));

        scene.upsert(aPod("stranger")
                .labelled("group", "g")
                .asking("1 cpu")
                .withSpec(spec -> spec.topologySpreadConstraints(List.of(overHosts()))));

        assertThat(scene.nodeOf("stranger")).isEqualTo("n2");
    }

    @Test
    @Scenario(109)
    void secondOwnerWithAntiAffinityKeepsAwayFromTheFirstOwnerOfASharedReservation() {
        scene.upsert(aNode("n1").with("8 cpu")).upsert(aNode("n2").with("8 cpu"));
        scene.createReservation(separated("r").requesting("4 cpu").shared().onNode("n1"));

        scene.upsert(owner("first")).upsert(owner("second"));

        assertThat(scene.nodeOf("first")).isEqualTo("n1");
        assertThat(scene.nodeOf("second")).isEqualTo("n2");
    }

    @Test
    @Scenario(109)
    void ownersWithAffinityToEachOtherShareTheReservation() {
        scene.upsert(aNode("n1").with("8 cpu")).upsert(aNode("n2").with("8 cpu"));
        scene.createReservation(aReservation("r")
                .requesting("4 cpu")
                .shared()
                .withTemplateLabel("group", "g")
                .withTemplate(NeighbourScenariosTest::togetherWithGroup)
                .onNode("n1"));

        Stream.of("a", "b")
                .forEach(name -> scene.upsert(aPod(name)
                        .labelled("app", "web")
                        .labelled("group", "g")
                        .asking("1 cpu")
                        .withSpec(NeighbourScenariosTest::togetherWithGroup)));

        assertThat(scene.nodeOf("a")).isEqualTo("n1");
        assertThat(scene.nodeOf("b")).isEqualTo("n1");
        assertThat(scene.status("r").currentOwners()).hasSize(2);
    }

    @Test
    @Scenario(109)
    void nonOwnerWithAffinityToTheGroupIsPlacedNextToTheReservation() {
        scene.upsert(aNode("n1").with("8 cpu")).upsert(aNode("n2").with("8 cpu"));
        scene.upsert(aPod("follower").asking("1 cpu").withSpec(NeighbourScenariosTest::togetherWithGroup));
        assertThat(scene.nodeOf("follower")).isEmpty();

        scene.createReservation(aReservation("r")
                .requesting("1 cpu")
                .withTemplateLabel("group", "g")
                .onNode("n2"));
        scene.advance(BACKOFF);

        assertThat(scene.nodeOf("follower")).isEqualTo("n2");
    }

    @Test
    @Scenario(112)
    void reservationOccupiesItsZoneAgainAfterItsOwnerWithoutRequestsWasDeleted() {
        scene.upsert(aNode("n1").with("8 cpu").inZone("z1"))
                .upsert(aNode("n2").with("4 cpu").inZone("z2"));
        scene.createReservation(aReservation("r")
                .requesting("1 cpu")
                .shared()
                .withTemplateLabel("group", "g")
                .onNode("n1"));
        scene.upsert(aPod("owner").labelled("app", "web").labelled("group", "g"));
        assertThat(scene.status("r").currentOwners()).hasSize(1);
        scene.deletePod("owner");

        scene.upsert(aPod("stranger")
                .labelled("group", "g")
                .asking("1 cpu")
                .withSpec(spec -> spec.topologySpreadConstraints(List.of(over(Node.ZONE_LABEL)))));

        assertThat(scene.nodeOf("stranger")).isEqualTo("n2");
    }

    private List<String> nodesOfReservations(String... names) {
        return Stream.of(names).map(name -> scene.status(name).nodeName()).toList();
    }

    private static ReservationBuilder separated(String name) {
        return aReservation(name)
                .requesting("1 cpu")
                .withTemplateLabel("group", "g")
                .withTemplate(NeighbourScenariosTest::apartFromGroup);
    }

    private static PodBuilder owner(String name) {
        return stranger(name).labelled("app", "web");
    }

    private static PodBuilder stranger(String name) {
        return aPod(name).labelled("group", "g").asking("1 cpu").withSpec(NeighbourScenariosTest::apartFromGroup);
    }

    private static PodSpec.Builder apartFromGroup(PodSpec.Builder spec) {
        return spec.podAffinity(new PodAffinity(List.of(), List.of(onHost()), List.of()));
    }

    private static PodSpec.Builder togetherWithGroup(PodSpec.Builder spec) {
        return spec.podAffinity(new PodAffinity(List.of(onHost()), List.of(), List.of()));
    }

    private static PodAffinityTerm onHost() {
        return new PodAffinityTerm(Node.HOSTNAME_LABEL, Optional.of(GROUP), List.of(), Optional.empty());
    }

    private static TopologySpreadConstraint overHosts() {
        return over(Node.HOSTNAME_LABEL);
    }

    private static TopologySpreadConstraint over(String topologyKey) {
        return new TopologySpreadConstraint(
                topologyKey,
                Optional.of(GROUP),
                true,
                1,
                1,
                TopologySpreadConstraint.NodeInclusionPolicy.DEFAULT,
                List.of());
    }
}
