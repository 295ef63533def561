package dev.berth.core.door.koordinator.scenario;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeAffinity;
import dev.berth.core.cluster.NodeSelectorTerm;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.cluster.ReservationAffinity;
import dev.berth.core.cluster.ReservationConstraints;
import dev.berth.core.cluster.Taint;
import dev.berth.core.cluster.Toleration;
import dev.berth.core.door.koordinator.KoordinatorScene;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.Scenario;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Reservation affinity, exact match, unschedulable and tainted Reservations. */
class AffinityScenariosTest {
    private static final String NO_MATCH =
            "0/1 nodes are available: 1 node(s) no reservations match reservation affinity.";
    private static final Toleration OF_CORDONED = new Toleration(
            Taint.UNSCHEDULABLE.key(), Toleration.Operator.EXISTS, "", Optional.of(Taint.TaintEffect.NO_SCHEDULE));

    /** Longer than the back-off of a pod, and shorter than the time after which all pods are tried again. */
    private static final Duration BACK_OFF = Duration.ofSeconds(30);

    private final KoordinatorScene cluster = new KoordinatorScene();

    @Test
    @Scenario(60)
    void aTermThatMatchesTheLabelsOfTheReservationLetsThePodUseIt() {
        cluster.upsert(aNode("n1").with("16 cpu"));
        cluster.createReservation(aReservation("r").requesting("4 cpu").shared().labelled("fast", "true"));
        cluster.upsert(web("other").withSpec(spec -> spec.reservations(labelIn("fast", "false"))));
        assertThat(cluster.nodeOf("other")).as("never on free capacity").isEmpty();
        assertThat(message("other")).startsWith(NO_MATCH);
        cluster.upsert(web("mine").withSpec(spec -> spec.reservations(labelIn("fast", "true"))));
        assertThat(cluster.nodeOf("mine")).isEqualTo("n1");
        assertThat(allocated("mine")).contains("\"name\":\"r\"");
    }

    @Test
    @Scenario({61, 71})
    void anEmptyAffinityRequiresAnyReservationThatThePodOwns() {
        cluster.upsert(aNode("n1").with("16 cpu"));
        cluster.upsert(web("p").withSpec(spec -> spec.reservations(affinity(ReservationAffinity.ANY))));
        assertThat(cluster.nodeOf("p")).isEmpty();
        assertThat(message("p")).startsWith(NO_MATCH);
        cluster.createReservation(aReservation("r").requesting("4 cpu"));
        cluster.advance(BACK_OFF);
        assertThat(cluster.nodeOf("p")).as("the new Reservation requeues it").isEqualTo("n1");
        assertThat(allocated("p")).contains("\"name\":\"r\"");
    }

    @Test
    void aPodWithAnAffinityDoesNotUseReservationsOfOtherOwners() {
        cluster.upsert(aNode("n1").with("16 cpu"));
        cluster.createReservation(aReservation("r").requesting("4 cpu"));
        cluster.upsert(
                aPod("db").asking("1 cpu").withSpec(spec -> spec.reservations(affinity(ReservationAffinity.ANY))));
        assertThat(cluster.nodeOf("db")).isEmpty();
    }

    @Test
    void aReservationWithoutEnoughCapacityLeavesThePodPending() {
        cluster.upsert(aNode("n1").with("16 cpu"));
        cluster.createReservation(aReservation("r").requesting("1 cpu").shared().restricted());
        cluster.upsert(web("p").asking("2 cpu").withSpec(spec -> spec.reservations(affinity(ReservationAffinity.ANY))));
        assertThat(cluster.nodeOf("p")).isEmpty();
    }

    @Test
    @Scenario(62)
    void theNamedReservationIsUsedAlthoughItIsUnschedulableAndTainted() {
        cluster.upsert(aNode("n1").with("16 cpu"));
        cluster.createReservation(aReservation("a")
                .requesting("4 cpu")
                .shared()
                .unschedulable(true)
                .tainted("team", "x"));
        cluster.createReservation(aReservation("b").requesting("1 cpu").shared());
        cluster.upsert(web("p").withSpec(spec -> spec.reservations(named("a"))));
        assertThat(allocated("p")).contains("\"name\":\"a\"");
        cluster.upsert(web("q").withSpec(spec -> spec.reservations(named("c"))));
        assertThat(cluster.nodeOf("q")).isEmpty();
        assertThat(message("q")).startsWith(NO_MATCH);
    }

    @Test
    @Scenario(63)
    void anExactMatchComparesTheRequestsWithTheSizeOfTheReservation() {
        cluster.upsert(aNode("n1").with("16 cpu", "64Gi memory"));
        cluster.createReservation(aReservation("r").requesting("2 cpu", "4Gi memory"));
        cluster.upsert(aPod("unequal")
                .labelled("app", "web")
                .asking("2 cpu", "2Gi memory")
                .withSpec(spec -> spec.reservations(exact("cpu", "memory"))));
        assertThat(allocated("unequal")).as("placed on free capacity").isEmpty();
        assertThat(cluster.nodeOf("unequal")).isEqualTo("n1");
        cluster.upsert(aPod("equal")
                .labelled("app", "web")
                .asking("2 cpu", "2Gi memory")
                .withSpec(spec -> spec.reservations(exact("cpu", "example.com/gpu"))));
        assertThat(allocated("equal")).contains("\"name\":\"r\"");
    }

    @Test
    @Scenario(64)
    void aResourceThatNeitherSideHasDoesNotEndTheComparison() {
        cluster.upsert(aNode("n1").with("16 cpu"));
        cluster.createReservation(aReservation("r").requesting("2 cpu"));
        cluster.upsert(web("p").withSpec(spec -> spec.reservations(exact("memory", "cpu"))));
        assertThat(cluster.nodeOf("p")).isEqualTo("n1");
        assertThat(allocated("p")).isEmpty();
    }

    @Test
    @Scenario(65)
    void aTolerationInTheAffinityLetsThePodUseAnUnschedulableReservation() {
        cluster.upsert(aNode("n1").with("16 cpu"));
        cluster.createReservation(aReservation("r").requesting("4 cpu").shared().unschedulable(true));
        cluster.upsert(web("p").withSpec(spec -> spec.reservations(affinity(ReservationAffinity.ANY))));
        assertThat(cluster.nodeOf("p")).isEmpty();
        assertThat(message("p")).endsWith("1 Reservation(s) is unschedulable, 1 Reservation(s) matched owner total.");
        cluster.upsert(web("q").withSpec(spec -> spec.reservations(tolerating(OF_CORDONED))));
        assertThat(allocated("q")).contains("\"name\":\"r\"");
        cluster.upsert(web("daemon").withSpec(spec -> spec.tolerations(List.of(OF_CORDONED))));
        assertThat(allocated("daemon"))
                .as("without an affinity the toleration is about nodes")
                .isEmpty();
        cluster.edit(aReservation("r").requesting("4 cpu").shared());
        cluster.advance(BACK_OFF);
        assertThat(allocated("p")).as("requeued").contains("\"name\":\"r\"");
    }

    @Test
    @Scenario(66)
    void aTerminatingReservationCountsAsUnschedulable() {
        cluster.upsert(aNode("n1").with("16 cpu"));
        cluster.createReservation(aReservation("r").requesting("4 cpu").shared());
        cluster.edit(aReservation("r").requesting("4 cpu").shared().terminating());
        cluster.upsert(web("p").withSpec(spec -> spec.reservations(affinity(ReservationAffinity.ANY))));
        assertThat(cluster.nodeOf("p")).isEmpty();
        assertThat(message("p")).contains("1 Reservation(s) is unschedulable");
        cluster.upsert(web("q").withSpec(spec -> spec.reservations(tolerating(OF_CORDONED))));
        assertThat(allocated("q")).contains("\"name\":\"r\"");
    }

    @Test
    @Scenario({67, 68})
    void tolerationsOfThePodAndOfItsAffinityBothCountForTheTaintsOfAReservation() {
        Toleration team = new Toleration("team", Toleration.Operator.EQUAL, "x", Optional.empty());
        cluster.upsert(aNode("n1").with("16 cpu"));
        cluster.createReservation(aReservation("r")
                .requesting("4 cpu")
                .shared()
                .tainted("team", "x")
                .tainted("zone", "b"));
        cluster.upsert(web("none"));
        assertThat(allocated("none")).isEmpty();
        cluster.upsert(web("one").withSpec(spec -> spec.reservations(tolerating(team))));
        assertThat(cluster.nodeOf("one")).isEmpty();
        cluster.upsert(web("both")
                .withSpec(spec -> spec.tolerations(
                                List.of(new Toleration("zone", Toleration.Operator.EXISTS, "", Optional.empty())))
                        .reservations(tolerating(team))));
        assertThat(allocated("both")).contains("\"name\":\"r\"");
    }

    @Test
    @Scenario(70)
    void theNodeAffinityOfThePodExcludesReservationsOnOtherNodes() {
        cluster.upsert(aNode("n1").with("16 cpu"));
        cluster.upsert(aNode("n2").with("16 cpu"));
        cluster.createReservation(aReservation("r").requesting("4 cpu").onNode("n1"));
        cluster.upsert(web("p").withSpec(spec -> spec.nodeAffinity(onlyOn("n2")).reservations(named("r"))));
        assertThat(cluster.nodeOf("p")).isEmpty();
        cluster.upsert(web("q").withSpec(spec -> spec.nodeAffinity(onlyOn("n1", "n2"))));
        assertThat(allocated("q")).contains("\"name\":\"r\"");
        cluster.upsert(web("never")
                .withSpec(spec -> spec.nodeAffinity(new NodeAffinity(
                        Labels.NONE,
                        Optional.of(List.of(new NodeSelectorTerm(List.of(), List.of(nameIn("n1"), nameIn("n2"))))),
                        List.of()))));
        assertThat(message("never")).contains("pod affinity terms conflict");
    }

    @Test
    @Scenario(72)
    void aMalformedAnnotationIsASchedulingErrorOfThisPodAlone() {
        String problem = "annotation scheduling.koordinator.sh/reservation-affinity ({) is invalid";
        cluster.upsert(aNode("n1").with("16 cpu"));
        cluster.createReservation(aReservation("r").requesting("4 cpu").shared());
        cluster.upsert(web("bad")
                .withSpec(spec -> spec.reservations(
                        new ReservationConstraints(Optional.empty(), List.of(), Optional.of(problem)))));
        cluster.upsert(web("good"));
        assertThat(cluster.nodeOf("bad")).isEmpty();
        assertThat(message("bad")).contains(problem);
        assertThat(allocated("good")).contains("\"name\":\"r\"");
        cluster.changePod("bad", pod -> pod.spec(web("bad").build().spec()));
        cluster.advance(BACK_OFF);
        assertThat(allocated("bad")).as("after the correction").contains("\"name\":\"r\"");
    }

    @Test
    @Scenario(73)
    void aPodWithAnAffinityUsesAReservationThatHasNoneOfItsResources() {
        cluster.upsert(aNode("n1").with("16 cpu", "8 kubernetes.io/batch-cpu"));
        cluster.createReservation(aReservation("r").requesting("4 cpu").shared());
        PodBuilder batch = aPod("batch").labelled("app", "web").asking("2 kubernetes.io/batch-cpu");
        cluster.upsert(batch.withSpec(spec -> spec.reservations(affinity(ReservationAffinity.ANY))));
        assertThat(allocated("batch")).contains("\"name\":\"r\"");
    }

    @Test
    void aPodIsRequeuedWhenAReservationGetsTheLabelThatItRequires() {
        cluster.upsert(aNode("n1").with("16 cpu"));
        cluster.createReservation(aReservation("r").requesting("4 cpu"));
        cluster.upsert(web("p").withSpec(spec -> spec.reservations(labelIn("fast", "true"))));
        assertThat(cluster.nodeOf("p")).isEmpty();
        cluster.edit(aReservation("r").requesting("4 cpu").labelled("fast", "true"));
        cluster.advance(BACK_OFF);
        assertThat(allocated("p")).contains("\"name\":\"r\"");
    }

    @Test
    void aLabelOfTheReservationHidesTheLabelOfItsNode() {
        cluster.upsert(aNode("n1").with("16 cpu").labelled("disk", "ssd"));
        cluster.createReservation(aReservation("plain").requesting("4 cpu").shared());
        cluster.createReservation(
                aReservation("hdd").requesting("1 cpu").shared().labelled("disk", "hdd"));
        ReservationAffinity ssd =
                new ReservationAffinity(Optional.empty(), Labels.of("disk", "ssd"), Optional.empty(), List.of());
        cluster.upsert(web("p").withSpec(spec -> spec.reservations(affinity(ssd))));
        assertThat(allocated("p")).contains("\"name\":\"plain\"");
    }

    private static PodBuilder web(String name) {
        return aPod(name).labelled("app", "web").asking("1 cpu");
    }

    private String allocated(String pod) {
        return cluster.annotation(pod, "scheduling.koordinator.sh/reservation-allocated");
    }

    private String message(String pod) {
        return cluster.unschedulableMessages.getOrDefault(pod, "");
    }

    private static NodeAffinity onlyOn(String... nodes) {
        return new NodeAffinity(
                Labels.NONE, Optional.of(List.of(new NodeSelectorTerm(List.of(), List.of(nameIn(nodes))))), List.of());
    }

    private static Requirement nameIn(String... nodes) {
        return new Requirement(NodeSelectorTerm.NAME_FIELD, Requirement.Operator.IN, List.of(nodes));
    }

    private static ReservationConstraints affinity(ReservationAffinity affinity) {
        return ReservationConstraints.ofAffinity(affinity);
    }

    private static ReservationConstraints named(String reservation) {
        return affinity(ReservationAffinity.ofName(reservation));
    }

    private static ReservationConstraints labelIn(String key, String value) {
        Requirement in = new Requirement(key, Requirement.Operator.IN, List.of(value));
        List<NodeSelectorTerm> terms = List.of(new NodeSelectorTerm(List.of(in), List.of()));
        return affinity(new ReservationAffinity(Optional.empty(), Labels.NONE, Optional.of(terms), List.of()));
    }

    private static ReservationConstraints tolerating(Toleration toleration) {
        return affinity(new ReservationAffinity(Optional.empty(), Labels.NONE, Optional.empty(), List.of(toleration)));
    }

    private static ReservationConstraints exact(String... resources) {
        return new ReservationConstraints(
                Optional.empty(),
                List.of(resources).stream().map(ResourceName::new).toList(),
                Optional.empty());
    }
}
