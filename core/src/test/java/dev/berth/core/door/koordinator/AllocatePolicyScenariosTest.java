package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.Amounts.amounts;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.door.koordinator.ReservationStatus.ReservationPhase;
import dev.berth.core.door.koordinator.settings.IgnoredResources;
import dev.berth.core.door.koordinator.settings.ReservationSettings;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.Scenario;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How much of a Reservation its owners get, for pods without reservation affinity. */
class AllocatePolicyScenariosTest {
    private static final String ALLOCATED = "scheduling.koordinator.sh/reservation-allocated";

    private final KoordinatorScene cluster = new KoordinatorScene();

    @BeforeEach
    void aClusterWithOneNode() {
        cluster.upsert(aNode("n1").with("32 cpu", "32Gi memory", "7500 kubernetes.io/batch-cpu"));
    }

    @Test
    @Scenario(33)
    void anOwnerOfAnAlignedReservationTakesTheRestOfEachResourceFromTheNode() {
        cluster.createReservation(aReservation("r").requesting("6 cpu").shared())
                .upsert(aPod("other").asking("24 cpu", "24Gi memory"))
                .upsert(web("fits", "8 cpu", "8Gi memory"));
        assertThat(usersOf("r", "fits")).containsExactly("fits");
        assertThat(cluster.status("r").allocated())
                .as("the dimensions of the Reservation")
                .isEqualTo(amounts("8 cpu"));
        cluster.upsert(web("full", "1 cpu"));
        assertThat(cluster.nodeOf("full")).isEmpty();
    }

    @Test
    @Scenario(35)
    void anOwnerOfARestrictedReservationTakesWhatTheReservationDoesNotHaveFromTheNode() {
        cluster.createReservation(aReservation("r").requesting("6 cpu").shared().restricted())
                .upsert(aPod("other").asking("24 cpu", "24Gi memory"))
                .upsert(web("web", "6 cpu", "8Gi memory"));
        assertThat(usersOf("r", "web")).containsExactly("web");
    }

    @Test
    @Scenario({37, 38})
    void anOwnerThatExceedsARestrictedReservationIsPlacedWithoutItIfTheNodeHasCapacity() {
        cluster.createReservation(aReservation("r").requesting("6 cpu").shared().restricted())
                .upsert(aPod("other").asking("14 cpu"))
                .upsert(web("fits", "8 cpu"));
        assertThat(cluster.nodeOf("fits")).isEqualTo("n1");
        assertThat(usersOf("r", "fits")).isEmpty();
        cluster.upsert(web("full", "8 cpu"));
        assertThat(cluster.nodeOf("full")).as("4 cpu are free").isEmpty();
    }

    @Test
    @Scenario(30)
    void aRestrictedReservationGivesNoMoreMemoryThanItHasLeft() {
        cluster.upsert(aPod("other").asking("28 cpu", "24Gi memory"))
                .createReservation(aReservation("r")
                        .requesting("4 cpu", "8Gi memory")
                        .shared()
                        .restricted())
                .upsert(web("a", "2 cpu", "2Gi memory"))
                .upsert(web("b", "2 cpu", "2Gi memory"))
                .upsert(web("c", "3Gi memory"))
                .upsert(web("d", "2Gi memory"));
        assertThat(usersOf("r", "a", "b", "c", "d")).containsExactly("a", "b", "c");
        assertThat(cluster.nodeOf("d")).isEmpty();
        assertThat(cluster.status("r").allocated()).isEqualTo(amounts("4 cpu", "7Gi memory"));
        assertThat(cluster.status("r").currentOwners()).hasSize(3);
    }

    @Test
    @Scenario(31)
    void anAlignedReservationGivesItsRestAndTheNodeGivesTheOthers() {
        cluster.createReservation(
                        aReservation("r").requesting("4 cpu", "8Gi memory").shared())
                .upsert(web("a", "2 cpu", "2Gi memory"))
                .upsert(web("b", "2 cpu", "2Gi memory"))
                .upsert(web("c", "3Gi memory"))
                .upsert(web("d", "2Gi memory"));
        assertThat(usersOf("r", "a", "b", "c", "d")).containsExactly("a", "b", "c", "d");
        assertThat(cluster.status("r").allocatable()).isEqualTo(amounts("4 cpu", "8Gi memory"));
        assertThat(cluster.status("r").allocated())
                .as("more than allocatable")
                .isEqualTo(amounts("4 cpu", "9Gi memory"));
        cluster.restart();
        assertThat(cluster.status("r").allocated()).isEqualTo(amounts("4 cpu", "9Gi memory"));
        cluster.upsert(aPod("rest").asking("23Gi memory")).upsert(aPod("none").asking("1Gi memory"));
        assertThat(cluster.nodeOf("rest")).as("nothing is counted twice").isEqualTo("n1");
        assertThat(cluster.nodeOf("none")).isEmpty();
    }

    @Test
    @Scenario(32)
    void anOwnerCannotCombineTwoReservations() {
        cluster.upsert(aNode("n2").with("1 cpu", "1000 example.com/unit"));
        for (int i = 0; i < 5; i++) {
            cluster.createReservation(
                    aReservation("r" + i).requesting("200 example.com/unit").shared());
        }
        cluster.upsert(web("web", "300 example.com/unit"));
        assertThat(cluster.nodeOf("web")).isEmpty();
        cluster.upsert(web("small", "200 example.com/unit"));
        assertThat(cluster.nodeOf("small")).isEqualTo("n2");
    }

    @Test
    @Scenario(13)
    void theSecondOwnerOfASharedReservationExceedsItOnlyIfItIsAligned() {
        cluster.createReservation(aReservation("aligned").requesting("6 cpu").shared())
                .upsert(web("a", "4 cpu"))
                .upsert(web("b", "4 cpu"));
        assertThat(usersOf("aligned", "a", "b")).containsExactly("a", "b");
        cluster.deletePod("a")
                .deletePod("b")
                .deleteReservation("aligned")
                .createReservation(
                        aReservation("restricted").requesting("6 cpu").shared().restricted())
                .upsert(web("c", "4 cpu"))
                .upsert(web("d", "4 cpu"));
        assertThat(usersOf("restricted", "c", "d")).containsExactly("c");
        assertThat(cluster.nodeOf("d")).as("free capacity").isEqualTo("n1");
    }

    @Test
    void anAlignedReservationWithNothingLeftStillCountsItsOwners() {
        cluster.createReservation(aReservation("r").requesting("4 cpu").shared())
                .upsert(web("a", "4 cpu"))
                .upsert(web("b", "4 cpu"));
        assertThat(usersOf("r", "a", "b")).containsExactly("a", "b");
        assertThat(cluster.status("r").allocated()).isEqualTo(amounts("8 cpu"));
    }

    @Test
    @Scenario(48)
    void onlyTheResourcesOfTheRestrictedOptionsAreRestricted() {
        cluster.createReservation(aReservation("r")
                        .requesting("4 cpu", "8Gi memory")
                        .shared()
                        .restrictedTo("cpu"))
                .upsert(web("memory", "2 cpu", "12Gi memory"))
                .upsert(web("cpu", "3 cpu"));
        assertThat(usersOf("r", "memory", "cpu")).containsExactly("memory");
        assertThat(cluster.status("r").allocated()).isEqualTo(amounts("2 cpu", "12Gi memory"));
        cluster.upsert(aPod("rest").asking("20Gi memory")).upsert(aPod("none").asking("1Gi memory"));
        assertThat(cluster.nodeOf("rest"))
                .as("memory is not restricted, and is counted once")
                .isEqualTo("n1");
        assertThat(cluster.nodeOf("none")).isEmpty();
    }

    @Test
    @Scenario(48)
    void restrictedOptionsWithoutAReservedResourceRestrictAll() {
        for (String[] options : List.of(new String[] {}, new String[] {"example.com/gpu"})) {
            cluster.createReservation(aReservation("r" + options.length)
                            .requesting("4 cpu", "8Gi memory")
                            .shared()
                            .restrictedTo(options))
                    .upsert(web("web" + options.length, "2 cpu", "12Gi memory"));
            assertThat(usersOf("r" + options.length, "web" + options.length)).isEmpty();
            cluster.deletePod("web" + options.length).deleteReservation("r" + options.length);
        }
    }

    @Test
    void anEditOfTheRestrictedOptionsTakesEffect() {
        cluster.createReservation(aReservation("r")
                        .requesting("4 cpu", "8Gi memory")
                        .shared()
                        .restricted())
                .edit(aReservation("r")
                        .requesting("4 cpu", "8Gi memory")
                        .shared()
                        .restrictedTo("cpu"))
                .upsert(web("web", "2 cpu", "12Gi memory"));
        assertThat(usersOf("r", "web")).containsExactly("web");
    }

    @Test
    @Scenario(43)
    void ownersOfARestrictedReservationDoNotGetTheInnerReservedAmount() {
        cluster.createReservation(aReservation("r")
                        .requesting("6 cpu")
                        .shared()
                        .restricted()
                        .keepingFromOwners("2 cpu"))
                .upsert(aPod("other").asking("24 cpu"))
                .upsert(web("large", "5 cpu"))
                .upsert(web("web", "4 cpu"));
        assertThat(cluster.nodeOf("large")).isEmpty();
        assertThat(usersOf("r", "web")).containsExactly("web");
        cluster.upsert(aPod("free").asking("2 cpu")).upsert(aPod("none").asking("1 cpu"));
        assertThat(cluster.nodeOf("free")).isEqualTo("n1");
        assertThat(cluster.nodeOf("none")).as("2 cpu stay held").isEmpty();
    }

    @Test
    @Scenario(43)
    void ownersOfAnAlignedReservationTakeFromTheNodeInsteadOfTheInnerReservedAmount() {
        cluster.createReservation(aReservation("r").requesting("6 cpu").shared().keepingFromOwners("2 cpu"))
                .upsert(aPod("other").asking("25 cpu"))
                .upsert(web("web", "5 cpu"));
        assertThat(usersOf("r", "web")).containsExactly("web");
        assertThat(cluster.status("r").allocated()).isEqualTo(amounts("5 cpu"));
        cluster.upsert(aPod("none").asking("1 cpu")).upsert(web("owner", "1 cpu"));
        assertThat(cluster.nodeOf("none")).as("25 + 5 + 2 inner reserved").isEmpty();
        assertThat(cluster.nodeOf("owner")).isEmpty();
    }

    @Test
    @Scenario(43)
    void anEditOfTheInnerReservedAmountTakesEffect() {
        ReservationBuilder all = aReservation("r").requesting("32 cpu").shared();
        ReservationBuilder less =
                aReservation("r").requesting("32 cpu").shared().keepingFromOwners("31 cpu");
        cluster.createReservation(all).edit(less).upsert(web("web", "2 cpu"));
        assertThat(cluster.nodeOf("web")).isEmpty();
        assertThat(cluster.unschedulableMessages.get("web"))
                .isEqualTo("0/1 nodes are available: 1 Insufficient cpu (31 held by Reservation r)."
                        + " Reservation r on node n1 is for this pod, but the pod cannot use it:"
                        + " the node does not take the pod: Insufficient cpu.");
        cluster.edit(all).advance(Duration.ofMinutes(1));
        assertThat(usersOf("r", "web")).containsExactly("web");
    }

    @Test
    @Scenario(42)
    void aRestrictedReservationThatDeclaresPodsIsForThisManyPods() {
        cluster.createReservation(
                        aReservation("r").requesting("7 cpu", "2 pods").shared().restrictedTo("cpu"))
                .upsert(web("a", "1 cpu"))
                .upsert(web("b", "1 cpu"))
                .upsert(web("c", "1 cpu"));
        assertThat(usersOf("r", "a", "b", "c")).containsExactly("a", "b");
        assertThat(cluster.status("r").allocatable()).isEqualTo(amounts("7 cpu", "2 pods"));
        assertThat(cluster.status("r").allocated()).isEqualTo(amounts("2 cpu", "2 pods"));
        cluster.deletePod("a").upsert(web("d", "1 cpu"));
        assertThat(usersOf("r", "b", "d")).as("a pod left it").containsExactly("b", "d");
    }

    @Test
    void aReservationThatDeclaresNoPodsIsForAnyNumberOfPods() {
        cluster.createReservation(aReservation("r").requesting("7 cpu").shared().restricted())
                .upsert(web("a", "1 cpu"))
                .upsert(web("b", "1 cpu"));
        assertThat(usersOf("r", "a", "b")).containsExactly("a", "b");
        assertThat(cluster.status("r").allocated()).as("no pods").isEqualTo(amounts("2 cpu"));
    }

    @Test
    void aReservationHoldsOnePodSlotOrAsManyAsItDeclares() {
        cluster.upsert(aNode("n1").with("32 cpu", "3 pods"))
                .createReservation(aReservation("one").requesting("1 cpu"))
                .createReservation(aReservation("three").requesting("1 cpu", "3 pods"));
        assertThat(cluster.status("three").phase())
                .as("only two slots are free")
                .isEqualTo(ReservationPhase.PENDING);
        cluster.createReservation(
                        aReservation("two").requesting("1 cpu", "2 pods").shared())
                .upsert(aPod("other"));
        assertThat(cluster.status("two").phase()).isEqualTo(ReservationPhase.AVAILABLE);
        assertThat(cluster.nodeOf("other")).as("all slots are held").isEmpty();
        cluster.upsert(web("a", "500m cpu")).upsert(web("b", "500m cpu")).upsert(web("c", "500m cpu"));
        assertThat(List.of(cluster.nodeOf("a"), cluster.nodeOf("b"), cluster.nodeOf("c")))
                .containsOnly("n1");
    }

    /** Koordinator rejects this: there, the empty policy may not be next to the two others on a node. */
    @Test
    void reservationsOfAllPoliciesShareANode() {
        cluster.createReservation(aReservation("default").requesting("1 cpu"))
                .createReservation(
                        aReservation("restricted").requesting("1 cpu").restricted());
        assertThat(cluster.status("default").nodeName()).isEqualTo("n1");
        assertThat(cluster.status("restricted").nodeName()).isEqualTo("n1");
    }

    @Test
    @Scenario(50)
    void anIgnoredResourceIsNotRestrictedAndOthersAre() {
        IgnoredResources ignored =
                new IgnoredResources(Set.of(new ResourceName("example.com/gpu")), Set.of("example.org"));
        cluster.withSettings(ReservationSettings.DEFAULT.withIgnoredResources(ignored))
                .restart()
                .upsert(aNode("n1").with("32 cpu", "8 example.com/gpu", "8 example.org/fpga", "8 example.net/nic"))
                .createReservation(aReservation("r")
                        .requesting("8 cpu", "1 example.com/gpu", "1 example.org/fpga", "1 example.net/nic")
                        .shared()
                        .restricted())
                .upsert(web("name", "1 cpu", "3 example.com/gpu"))
                .upsert(web("group", "1 cpu", "3 example.org/fpga"))
                .upsert(web("counted", "1 cpu", "3 example.net/nic"))
                .upsert(web("native", "9 cpu"));
        assertThat(usersOf("r", "name", "group", "counted", "native")).containsExactly("name", "group");
        cluster.upsert(web("full", "1 cpu", "6 example.com/gpu"));
        assertThat(cluster.nodeOf("full")).as("the node must have it").isEmpty();
    }

    @Test
    @Scenario(51)
    void anOwnerThatRequestsNothingOfTheReservationDoesNotUseIt() {
        cluster.createReservation(aReservation("r").requesting("6 cpu").restricted())
                .upsert(web("batch", "6000 kubernetes.io/batch-cpu"));
        assertThat(cluster.nodeOf("batch")).isEqualTo("n1");
        assertThat(usersOf("r", "batch")).isEmpty();
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.AVAILABLE);
    }

    /** Those of the pods that use the Reservation. */
    private List<String> usersOf(String reservation, String... pods) {
        return List.of(pods).stream()
                .filter(pod -> cluster.annotation(pod, ALLOCATED).contains("\"%s\"".formatted(reservation)))
                .toList();
    }

    private static PodBuilder web(String name, String... amounts) {
        return aPod(name).labelled("app", "web").asking(amounts);
    }
}
