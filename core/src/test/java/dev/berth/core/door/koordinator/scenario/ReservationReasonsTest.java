package dev.berth.core.door.koordinator.scenario;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.ReservationAffinity;
import dev.berth.core.cluster.ReservationConstraints;
import dev.berth.core.cluster.Taint;
import dev.berth.core.door.koordinator.KoordinatorScene;
import dev.berth.core.effect.Effect;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Owner;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.ledger.Removals;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.Scenario;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Why a pod that must use a Reservation is pending, word for word as Koordinator has it. */
class ReservationReasonsTest {
    private final KoordinatorScene cluster = new KoordinatorScene();

    @BeforeEach
    void aClusterWithOneNode() {
        cluster.upsert(aNode("n1").with("32 cpu", "32Gi memory", "7500 kubernetes.io/batch-cpu"));
    }

    @Test
    @Scenario(33)
    void anAlignedReservationAndTheNodeGiveThePodWhatItNeeds() {
        cluster.createReservation(aReservation("r").requesting("6 cpu").shared())
                .upsert(aPod("other").asking("24 cpu", "24Gi memory"))
                .upsert(requiring("web", "8 cpu", "8Gi memory"));
        assertThat(allocated("web")).contains("\"name\":\"r\"");
    }

    @Test
    @Scenario(34)
    void anAlignedReservationOnAFullNodeLacksWhatTheNodeLacks() {
        cluster.createReservation(aReservation("r").requesting("6 cpu").shared())
                .upsert(aPod("other").asking("26 cpu"))
                .upsert(requiring("web", "8 cpu"));
        assertThat(message("web"))
                .isEqualTo("0/1 nodes are available: 1 Insufficient cpu by node."
                        + " 1 Reservation(s) for node reason that Insufficient cpu by node,"
                        + " 1 Reservation(s) matched owner total.");
        assertThat(reservationNote("web")).isEqualTo("0/1 reservations are available: 1 Insufficient cpu by node.");
    }

    @Test
    @Scenario(36)
    void aRestrictedReservationThatIsTooSmallIsInsufficient() {
        cluster.createReservation(aReservation("r").requesting("6 cpu").shared().restricted())
                .upsert(aPod("other").asking("24 cpu"))
                .upsert(requiring("web", "8 cpu"));
        assertThat(message("web"))
                .isEqualTo("0/1 nodes are available: 1 Reservation(s) Insufficient cpu."
                        + " 1 Reservation(s) matched owner total.");
        assertThat(reservationNote("web"))
                .isEqualTo("0/1 reservations are available: 1 Reservation(s) Insufficient cpu.");
    }

    @Test
    @Scenario({39, 73})
    void aPodWithAnAffinityUsesAReservationThatHasNoneOfItsResources() {
        cluster.createReservation(aReservation("r").requesting("6 cpu").shared().restricted())
                .upsert(aPod("other").asking("1500 kubernetes.io/batch-cpu"))
                .upsert(requiring("batch", "6000 kubernetes.io/batch-cpu"));
        assertThat(allocated("batch")).contains("\"name\":\"r\"");
        assertThat(cluster.status("r").currentOwners()).hasSize(1);
        assertThat(cluster.status("r").allocated().isZero()).isTrue();
    }

    @Test
    @Scenario(40)
    void aPodThatRequestsMoreThanTheNodeHasIsPendingWithOrWithoutAffinity() {
        cluster.createReservation(aReservation("r").requesting("6 cpu").shared().restricted())
                .upsert(requiring("required", "8000 kubernetes.io/batch-cpu"))
                .upsert(web("plain", "8000 kubernetes.io/batch-cpu"));
        assertThat(message("required"))
                .startsWith("0/1 nodes are available: 1 Insufficient kubernetes.io/batch-cpu by node.");
        assertThat(message("plain")).startsWith("0/1 nodes are available: 1 Insufficient kubernetes.io/batch-cpu.");
    }

    @Test
    @Scenario({41, 43})
    void theInnerReservedAmountIsNotForOwners() {
        cluster.createReservation(aReservation("r")
                        .requesting("6 cpu")
                        .shared()
                        .restricted()
                        .keepingFromOwners("2 cpu"))
                .upsert(requiring("web", "6 cpu"))
                .upsert(naming("r", "named", "6 cpu"));
        assertThat(message("web")).startsWith("0/1 nodes are available: 1 Reservation(s) Insufficient cpu.");
        assertThat(message("named"))
                .startsWith("0/1 nodes are available: 1 Reservation(s) Insufficient cpu,"
                        + " requested: 6000, used: 0, capacity: 4000.");
    }

    @Test
    @Scenario({42, 46})
    void aReservationWithAsManyPodsAsItDeclaresHasTooManyPods() {
        cluster.createReservation(
                        aReservation("r").requesting("7 cpu", "2 pods").shared().restricted())
                .upsert(web("a", "1 cpu"))
                .upsert(web("b", "1 cpu"))
                .upsert(requiring("web", "3 cpu"))
                .upsert(naming("r", "named", "3 cpu"));
        assertThat(message("web")).startsWith("0/1 nodes are available: 1 Reservation(s) Too many pods.");
        assertThat(message("named"))
                .startsWith("0/1 nodes are available: 1 Reservation(s) Too many pods,"
                        + " requested: 1, used: 2, capacity: 2.");
        assertThat(vetoesWithout("a", "web")).as("preempting one pod helps").isEmpty();
    }

    @Test
    @Scenario(44)
    void theReasonsOfAllReservationsAreCounted() {
        cluster.createReservation(aReservation("a")
                        .requesting("2 cpu", "8Gi memory")
                        .shared()
                        .restricted())
                .createReservation(aReservation("b")
                        .requesting("2 cpu", "8Gi memory")
                        .shared()
                        .restricted())
                .createReservation(aReservation("c")
                        .requesting("8 cpu", "1Gi memory")
                        .shared()
                        .restricted())
                .upsert(requiring("web", "4 cpu", "4Gi memory"));
        assertThat(message("web"))
                .isEqualTo("0/1 nodes are available: 1 Reservation(s) Insufficient memory,"
                        + " 2 Reservation(s) Insufficient cpu. 3 Reservation(s) matched owner total.");
        assertThat(reservationNote("web"))
                .isEqualTo("0/3 reservations are available: 2 Reservation(s) Insufficient cpu,"
                        + " 1 Reservation(s) Insufficient memory.");
    }

    @Test
    @Scenario(45)
    void theReasonsOfTheNamedReservationHaveAmounts() {
        cluster.createReservation(aReservation("r")
                        .requesting("6 cpu", "4Gi memory")
                        .shared()
                        .restricted())
                .createReservation(aReservation("other").requesting("1 cpu").shared())
                .upsert(naming("r", "first", "1 cpu"))
                .upsert(naming("r", "web", "6 cpu", "5Gi memory"));
        assertThat(message("web"))
                .isEqualTo("0/1 nodes are available:"
                        + " 1 Reservation(s) Insufficient cpu, requested: 6000, used: 1000, capacity: 6000,"
                        + " 1 Reservation(s) Insufficient memory, requested: 5368709120, used: 0, capacity: 4294967296."
                        + " 1 Reservation(s) exactly matches the requested reservation name,"
                        + " 1 Reservation(s) didn't match the requested reservation name,"
                        + " 2 Reservation(s) matched owner total.");
        assertThat(reservationNote("web"))
                .startsWith("0/2 reservations are available:"
                        + " 1 Reservation(s) exactly matches the requested reservation name,"
                        + " 1 Reservation(s) didn't match the requested reservation name,"
                        + " 1 Reservation(s) Insufficient cpu, requested: 6000,");
    }

    @Test
    void bothTheReservationAndTheNodeAreNamedIfBothAreTooSmall() {
        cluster.createReservation(aReservation("r").requesting("6 cpu").shared().restricted())
                .upsert(aPod("other").asking("26 cpu"))
                .upsert(requiring("web", "8 cpu"));
        assertThat(message("web"))
                .isEqualTo("0/1 nodes are available: 1 Insufficient cpu by node, 1 Reservation(s) Insufficient cpu."
                        + " 1 Reservation(s) matched owner total.");
    }

    @Test
    @Scenario(69)
    void reservationsThatThePodDoesNotMatchAreCountedByTheirReasons() {
        cluster.createReservation(aReservation("closed").requesting("1 cpu").unschedulable(true))
                .createReservation(aReservation("tainted").requesting("1 cpu").tainted("team", "a"))
                .createReservation(aReservation("slow").requesting("1 cpu"))
                .createReservation(aReservation("fast").requesting("2 cpu").labelled("speed", "high"))
                .createReservation(aReservation("used").requesting("1 cpu").forOwner(owner("db")))
                .upsert(web("web", "1 cpu")
                        .withSpec(spec -> spec.reservations(new ReservationConstraints(
                                Optional.of(new ReservationAffinity(
                                        Optional.empty(), Labels.of("speed", "high"), Optional.empty(), List.of())),
                                List.of(ResourceName.CPU),
                                Optional.empty()))));
        assertThat(message("web"))
                .isEqualTo("0/1 nodes are available: 1 node(s) no reservations match reservation affinity."
                        + " 1 Reservation(s) didn't match affinity rules, 1 Reservation(s) is unschedulable,"
                        + " 1 Reservation(s) is not exact matched, 1 Reservation(s) had untolerated taint {team: a},"
                        + " 4 Reservation(s) matched owner total.");
        assertThat(reservationNote("web"))
                .isEqualTo("0/4 reservations are available: 1 Reservation(s) didn't match affinity rules,"
                        + " 1 Reservation(s) is unschedulable, 1 Reservation(s) is not exact matched,"
                        + " 1 Reservation(s) had untolerated taint {team: a}.");
    }

    @Test
    @Scenario({69, 150})
    void theReasonOfTheNodeComesLast() {
        cluster.createReservation(aReservation("r").requesting("1 cpu").shared())
                .createReservation(aReservation("closed").requesting("1 cpu").unschedulable(true))
                .upsert(aNode("n1")
                        .with("32 cpu", "32Gi memory")
                        .tainted("maintenance", "", Taint.TaintEffect.NO_SCHEDULE))
                .upsert(requiring("web", "1 cpu"));
        assertThat(message("web"))
                .isEqualTo("0/1 nodes are available: 1 node(s) had untolerated taint(s)."
                        + " 1 Reservation(s) is unschedulable,"
                        + " 1 Reservation(s) for node reason that node(s) had untolerated taint(s),"
                        + " 2 Reservation(s) matched owner total.");
        assertThat(reservationNote("web"))
                .isEqualTo("0/2 reservations are available: 1 Reservation(s) is unschedulable,"
                        + " 1 node(s) had untolerated taint(s).");
    }

    @Test
    @Scenario(150)
    void thereIsOneEventAboutReservationsForEachFailedSchedulingEvent() {
        cluster.createReservation(aReservation("r").requesting("1 cpu").shared().restricted())
                .upsert(requiring("web", "2 cpu"))
                .upsert(web("plain", "40 cpu"));
        cluster.advance(Duration.ofMinutes(1)).advance(Duration.ofMinutes(1));
        assertThat(notes("web", "FailedScheduling")).hasSize(1);
        assertThat(notes("web", "FailedScheduling-Reservation")).hasSize(1);
        assertThat(notes("plain", "FailedScheduling-Reservation")).isEmpty();
    }

    @Test
    void aPodThatOwnsNoReservationSaysSo() {
        cluster.upsert(requiring("web", "1 cpu"));
        assertThat(message("web"))
                .isEqualTo("0/1 nodes are available: 1 node(s) no reservations match reservation affinity."
                        + " 0 Reservation(s) matched owner total.");
        assertThat(reservationNote("web")).isEqualTo("0/0 reservations are available: no Reservation is for this pod.");
    }

    @Test
    void aPodThatNamesAReservationReadsItsNameIfItCannotUseIt() {
        cluster.createReservation(aReservation("other").requesting("1 cpu").forOwner(owner("db")))
                .upsert(naming("r", "web", "1 cpu"))
                .upsert(naming("other", "stranger", "1 cpu"));
        assertThat(message("web"))
                .isEqualTo(
                        "0/1 nodes are available: 1 node(s) no reservations match reservation affinity."
                                + " 0 Reservation(s) matched owner total."
                                + " Reservation r, which the pod names, does not exist, has no node or accepts no further pod.");
        assertThat(reservationNote("web"))
                .endsWith("Reservation r, which the pod names, does not exist, has no node or accepts no further pod.");
        assertThat(message("stranger"))
                .endsWith("Reservation other, which the pod names, is not for this pod: none of its owners matches.");
    }

    @Test
    void anOwnerWithoutAffinityReadsWhatIsLeftInItsReservation() {
        cluster.createReservation(aReservation("r").requesting("6 cpu").shared().restricted())
                .upsert(aPod("other").asking("26 cpu"))
                .upsert(web("first", "2 cpu"))
                .upsert(web("web", "5 cpu"));
        assertThat(message("web")).startsWith("0/1 nodes are available: 1 Insufficient cpu");
        cluster.deletePod("other").upsert(aPod("less").asking("24 cpu")).advance(Duration.ofMinutes(1));
        assertThat(message("web"))
                .startsWith("0/1 nodes are available: 1 Reservation(s) Insufficient cpu (4 left in Reservation r)");
    }

    private List<?> vetoesWithout(String removed, String pod) {
        Placer placer = new Placer(cluster.ledger(), ScoreWeights.DEFAULT);
        Removals removals = new Removals(Set.of(cluster.pod(removed).uid()), Set.of());
        Hold hold = cluster.ledger().hold(new HoldId("koordinator/r")).orElseThrow();
        NodeState node = cluster.ledger().node("n1").orElseThrow();
        assertThat(placer.vetoes(cluster.pod(pod), node, hold)).isNotEmpty();
        LedgerView view = cluster.ledger().simulateWithout("n1", removals).orElseThrow();
        return placer.simulateVetoes(view, cluster.pod(pod), view.node("n1").orElseThrow(), HoldUse.PREFERRED);
    }

    private String message(String pod) {
        return cluster.unschedulableMessages.getOrDefault(pod, "");
    }

    private String reservationNote(String pod) {
        List<String> notes = notes(pod, "FailedScheduling-Reservation");
        return notes.isEmpty() ? "" : notes.get(notes.size() - 1);
    }

    private List<String> notes(String pod, String reason) {
        return cluster.recordedEvents.stream()
                .filter(event -> event.kind().reason().equals(reason)
                        && event.target().name().equals(pod))
                .map(Effect.RecordEvent::note)
                .toList();
    }

    private String allocated(String pod) {
        return cluster.annotation(pod, "scheduling.koordinator.sh/reservation-allocated");
    }

    private static Owner owner(String app) {
        return Owner.ofLabels(LabelSelector.of(Labels.of("app", app)));
    }

    private static PodBuilder web(String name, String... amounts) {
        return aPod(name).labelled("app", "web").asking(amounts);
    }

    private static PodBuilder requiring(String name, String... amounts) {
        return web(name, amounts)
                .withSpec(spec -> spec.reservations(ReservationConstraints.ofAffinity(ReservationAffinity.ANY)));
    }

    private static PodBuilder naming(String reservation, String name, String... amounts) {
        return web(name, amounts)
                .withSpec(spec ->
                        spec.reservations(ReservationConstraints.ofAffinity(ReservationAffinity.ofName(reservation))));
    }
}
