package dev.berth.core.door.koordinator.scenario;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.Amounts.amounts;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeAffinity;
import dev.berth.core.door.koordinator.CurrentOwner;
import dev.berth.core.door.koordinator.KoordinatorScene;
import dev.berth.core.door.koordinator.ReservationStatus.ReservationPhase;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.Scenario;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What owners and other pods get of a node with a Reservation. */
class BasicAllocationScenariosTest {
    private static final String ALLOCATED = "scheduling.koordinator.sh/reservation-allocated";

    private final KoordinatorScene cluster = new KoordinatorScene();

    @BeforeEach
    void aClusterWithOneNode() {
        cluster.upsert(aNode("n1").with("8 cpu", "8Gi memory", "1000 example.com/unit"));
    }

    @Test
    @Scenario(1)
    void theFirstOwnerOfAnAllocateOnceReservationIsRecordedAndTheReservationSucceeds() {
        cluster.createReservation(aReservation("r").requesting("1 cpu", "1Gi memory"))
                .upsert(web("owner", "1 cpu", "1Gi memory"));
        assertThat(cluster.nodeOf("owner")).isEqualTo("n1");
        assertThat(cluster.annotation("owner", ALLOCATED)).isEqualTo("{\"name\":\"r\",\"uid\":\"r\"}");
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.SUCCEEDED);
        assertThat(cluster.status("r").allocatable()).isEqualTo(amounts("1 cpu", "1Gi memory"));
        assertThat(cluster.status("r").allocated()).isEqualTo(amounts("1 cpu", "1Gi memory"));
        assertThat(cluster.status("r").currentOwners()).containsExactly(new CurrentOwner("default", "owner", "owner"));
    }

    @Test
    @Scenario(2)
    void twoOwnersShareAReservationThatStaysAvailable() {
        cluster.createReservation(
                        aReservation("r").requesting("2 cpu", "2Gi memory").shared())
                .upsert(web("a", "1 cpu", "1Gi memory"))
                .upsert(web("b", "1 cpu", "1Gi memory"));
        assertThat(ownersOf("r")).containsExactly("a", "b");
        assertThat(cluster.annotation("a", ALLOCATED)).contains("\"name\":\"r\"");
        assertThat(cluster.annotation("b", ALLOCATED)).contains("\"name\":\"r\"");
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.AVAILABLE);
        assertThat(cluster.status("r").allocated()).isEqualTo(amounts("2 cpu", "2Gi memory"));
    }

    @Test
    @Scenario(3)
    void theStatusHasTheRequestsOfAnOwnerThatIsSmallerThanTheReservation() {
        cluster.createReservation(aReservation("r").requesting("500m cpu", "800Mi memory"))
                .upsert(web("owner", "200m cpu", "400Mi memory"));
        assertThat(cluster.status("r").allocatable()).isEqualTo(amounts("500m cpu", "800Mi memory"));
        assertThat(cluster.status("r").allocated()).isEqualTo(amounts("200m cpu", "400Mi memory"));
    }

    @Test
    @Scenario(4)
    void theOwnersOfAReservationOnANamedNodeTakeNothingElseOfTheNode() {
        cluster.upsert(aNode("node-1").with("7 cpu", "26Gi memory"));
        cluster.createReservation(aReservation("r")
                .requesting("6 cpu", "20Gi memory")
                .onNode("node-1")
                .shared());
        long free = cluster.cpuFree("node-1");
        cluster.upsert(web("a", "2 cpu", "10Gi memory")).upsert(web("b", "2 cpu", "10Gi memory"));
        assertThat(List.of(cluster.nodeOf("a"), cluster.nodeOf("b"))).containsOnly("node-1");
        assertThat(cluster.cpuFree("node-1")).isEqualTo(free);
    }

    @Test
    @Scenario(5)
    void aPodThatIsNotAnOwnerDoesNotGetTheReservedCapacity() {
        cluster.createReservation(aReservation("r").requesting("1000 example.com/unit"))
                .upsert(aPod("other").asking("1000 example.com/unit"));
        assertThat(cluster.nodeOf("other")).isEmpty();
        assertThat(cluster.unschedulableMessages.get("other")).contains("Insufficient example.com/unit");
    }

    @Test
    @Scenario(6)
    void theCapacityThatAnOwnerUsesIsNotCountedTwice() {
        cluster.createReservation(
                        aReservation("r").requesting("500 example.com/unit").shared())
                .upsert(web("owner", "500 example.com/unit"))
                .createReservation(aReservation("second").requesting("500 example.com/unit"));
        assertThat(ownersOf("r")).containsExactly("owner");
        assertThat(cluster.status("second").nodeName()).isEqualTo("n1");
    }

    @ParameterizedTest(name = "{0}")
    @Scenario({7, 8, 9})
    @ValueSource(strings = {"4 cpu,4Gi memory", "4 cpu", "4 cpu,1Gi memory"})
    void anOwnerThatRequestsNoMoreThanTheReservationTakesAllFromIt(String requests) {
        cluster.createReservation(
                        aReservation("r").requesting("4 cpu", "4Gi memory").shared())
                .upsert(aPod("rest").asking("4 cpu", "4Gi memory"))
                .upsert(web("owner", requests.split(",")));
        assertThat(cluster.nodeOf("rest")).isEqualTo("n1");
        assertThat(ownersOf("r")).containsExactly("owner");
    }

    @Test
    @Scenario(10)
    void anOwnerTakesFromTheNodeWhatTheReservationDoesNotHave() {
        cluster.createReservation(aReservation("r").requesting("4 cpu").shared())
                .upsert(aPod("rest").asking("4 cpu", "6Gi memory"))
                .upsert(web("owner", "4 cpu", "1Gi memory"));
        assertThat(ownersOf("r")).containsExactly("owner");
        assertThat(cluster.status("r").allocated()).isEqualTo(amounts("4 cpu"));
        cluster.upsert(aPod("last").asking("1Gi memory")).upsert(aPod("none").asking("1Gi memory"));
        assertThat(cluster.nodeOf("last")).isEqualTo("n1");
        assertThat(cluster.nodeOf("none"))
                .as("7Gi and the owner's 1Gi are used")
                .isEmpty();
    }

    @Test
    @Scenario(11)
    void anOwnerThatExceedsAnAlignedReservationTakesTheRestFromTheNode() {
        cluster.createReservation(aReservation("r").requesting("4 cpu")).upsert(web("owner", "6 cpu"));
        assertThat(ownersOf("r")).containsExactly("owner");
        cluster.upsert(aPod("rest").asking("2 cpu")).upsert(aPod("none").asking("1 cpu"));
        assertThat(cluster.nodeOf("rest")).isEqualTo("n1");
        assertThat(cluster.nodeOf("none")).isEmpty();
    }

    @Test
    @Scenario(12)
    void twoOwnersFillASharedReservation() {
        cluster.createReservation(aReservation("r").requesting("8 cpu").shared())
                .upsert(web("a", "4 cpu"))
                .upsert(web("b", "4 cpu"));
        assertThat(ownersOf("r")).containsExactly("a", "b");
    }

    @Test
    @Scenario({14, 15})
    void otherPodsMustFitBesidesTheWholeReservationWhileItLives() {
        cluster.createReservation(aReservation("r").requesting("4 cpu").shared())
                .upsert(web("owner", "2 cpu"))
                .upsert(aPod("beside").asking("4 cpu"))
                .upsert(aPod("other").asking("2 cpu"));
        assertThat(cluster.nodeOf("beside")).isEqualTo("n1");
        assertThat(cluster.nodeOf("other"))
                .as("2 cpu of the Reservation are left, for its owners")
                .isEmpty();
    }

    @Test
    @Scenario(16)
    void aPodThatIsNotAnOwnerRunsNextToTheReservationWithoutARecord() {
        cluster.createReservation(aReservation("r").requesting("4 cpu"))
                .upsert(aPod("other").asking("4 cpu"));
        assertThat(cluster.nodeOf("other")).isEqualTo("n1");
        assertThat(cluster.annotation("other", ALLOCATED)).isEmpty();
        assertThat(cluster.status("r").currentOwners()).isEmpty();
    }

    @Test
    @Scenario({17, 18})
    void aReservationWithNodeAffinityAndItsOwnerWithTheSameAffinityAreOnThatNode() {
        NodeAffinity onlyN2 = new NodeAffinity(Labels.of("kubernetes.io/hostname", "n2"), Optional.empty(), List.of());
        cluster.upsert(aNode("n2").with("8 cpu").labelled("kubernetes.io/hostname", "n2"))
                .upsert(aNode("n3").with("8 cpu").labelled("kubernetes.io/hostname", "n3"));
        cluster.createReservation(
                        aReservation("r").requesting("4 cpu").withTemplate(template -> template.nodeAffinity(onlyN2)))
                .upsert(web("owner", "4 cpu").withSpec(spec -> spec.nodeAffinity(onlyN2)));
        assertThat(cluster.status("r").nodeName()).isEqualTo("n2");
        assertThat(cluster.nodeOf("owner")).isEqualTo("n2");
        assertThat(ownersOf("r")).containsExactly("owner");
    }

    @Test
    @Scenario(19)
    void equalOwnersUseDifferentAllocateOnceReservationsOfOneNode() {
        Stream.of("r1", "r2", "r3")
                .forEach(name -> cluster.createReservation(aReservation(name).requesting("2 cpu")));
        Stream.of("a", "b", "c").forEach(name -> cluster.upsert(web(name, "2 cpu")));
        assertThat(Stream.of("r1", "r2", "r3").flatMap(name -> ownersOf(name).stream()))
                .containsExactlyInAnyOrder("a", "b", "c");
        assertThat(Stream.of("r1", "r2", "r3").map(name -> cluster.status(name).phase()))
                .containsOnly(ReservationPhase.SUCCEEDED);
    }

    private List<String> ownersOf(String reservation) {
        return cluster.status(reservation).currentOwners().stream()
                .map(CurrentOwner::name)
                .toList();
    }

    private static PodBuilder web(String name, String... requests) {
        return aPod(name).asking(requests).labelled("app", "web");
    }
}
