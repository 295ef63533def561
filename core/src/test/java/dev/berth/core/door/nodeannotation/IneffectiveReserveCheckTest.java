package dev.berth.core.door.nodeannotation;

import static dev.berth.core.testing.Amounts.amounts;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.ControllerRef;
import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Workload;
import dev.berth.core.effect.Effect;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.queue.BackoffPolicy;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.resource.Resources;
import dev.berth.core.scheduling.Scheduler;
import dev.berth.core.testing.ManualClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Annotations on nodes that are well-formed and keep room for no pod. */
class IneffectiveReserveCheckTest {
    private static final String OWNER = "a8f6f901-47c9-4475-b1f4-cac44597e173";
    private static final String DEPLOYMENT = "0d3e9b57-6f0c-4e58-9a0e-3d2f8f1f9a11";
    private static final Node NODE = aNode("n1").with("6 cpu", "10 pods").build();
    private static final Workload REPLICA_SET = new Workload(
            Workload.Kind.REPLICA_SET,
            "default",
            "web-1",
            LabelSelector.EVERYTHING,
            OWNER,
            Optional.of(new ControllerRef("apps/v1", "Deployment", "web", DEPLOYMENT)));

    private final ManualClock clock = new ManualClock();
    private final Ledger ledger = new Ledger();
    private final Scheduler scheduler = new Scheduler(
            ledger,
            new Placer(ledger, ScoreWeights.DEFAULT),
            new SchedulingQueue(BackoffPolicy.DEFAULT),
            Set.of("s"),
            List.of(new NodeAnnotationDoor()));

    private void annotateNode(String owner, String... size) {
        apply(new Fact.NodeUpserted(NODE));
        apply(new NodeReservedResources(NODE.uid(), "n1", Map.of(owner, resources(size)), List.of()));
    }

    private static Resources resources(String... size) {
        return amounts(size);
    }

    private void apply(Fact fact) {
        scheduler.apply(fact, clock.instant());
    }

    /** What is said on the node in this time. */
    private List<String> eventsWithin(Duration time) {
        scheduler.reconcileDoors(clock.instant());
        clock.advance(time);
        scheduler.reconcileDoors(clock.instant());
        return scheduler.drainEffects().stream()
                .map(Effect.RecordEvent.class::cast)
                .map(event -> event.target() + ": " + event.note())
                .toList();
    }

    @Test
    void anOwnerThatDoesNotExistIsReportedOnceOnTheNode() {
        annotateNode(OWNER, "2 cpu");
        assertThat(eventsWithin(Duration.ofSeconds(9)))
                .as("the owner may be seen later than the node")
                .isEmpty();
        assertThat(eventsWithin(Duration.ofSeconds(1)))
                .containsExactly(
                        "Node n1: Resources are reserved for owner (" + OWNER + "), but no ReplicaSet, StatefulSet,"
                                + " ReplicationController or controller of a pod on a node has this UID. Set the UID of the"
                                + " object that controls the pods, or remove the annotation.");
        assertThat(eventsWithin(Duration.ofMinutes(1)))
                .as("the same is not said again")
                .isEmpty();
    }

    @Test
    void aPodThatAnotherSchedulerBindsOntoTheRoomIsReportedOnTheNode() {
        apply(new Fact.WorkloadUpserted(REPLICA_SET));
        annotateNode(OWNER, "4 cpu");
        apply(new Fact.PodUpserted(aPod("intruder").asking("3 cpu").on("n1").build()));
        assertThat(eventsWithin(Duration.ZERO))
                .containsExactly(
                        "Node n1: node n1 is over-committed: 1 cpu of what is reserved there are not available;"
                                + " pods there that use no hold: default/intruder (scheduler default-scheduler); reserved by:"
                                + " annotation of node n1 for ReplicaSet default/web-1");
    }

    @Test
    void theHoldIsNamedAfterItsOwnerAlsoIfTheOwnerIsSeenLater() {
        annotateNode(OWNER, "2 cpu");
        assertThat(origin()).isEqualTo("annotation of node n1 for owner " + OWNER);
        apply(new Fact.WorkloadUpserted(REPLICA_SET));
        assertThat(origin()).isEqualTo("annotation of node n1 for ReplicaSet default/web-1");
        annotateNode(OWNER, "3 cpu");
        assertThat(origin()).isEqualTo("annotation of node n1 for ReplicaSet default/web-1");
        apply(new Fact.WorkloadDeleted(REPLICA_SET.key()));
        assertThat(origin()).isEqualTo("annotation of node n1 for owner " + OWNER);
    }

    private String origin() {
        HoldId hold = new HoldId("node-annotation/%s/%s".formatted(NODE.uid().value(), OWNER));
        return ledger.hold(hold).orElseThrow().origin().displayName();
    }

    @Test
    void anOwnerThatIsAReplicaSetOrControlsAPodIsNotReported() {
        apply(new Fact.WorkloadUpserted(REPLICA_SET));
        annotateNode(OWNER, "2 cpu");
        assertThat(eventsWithin(Duration.ofSeconds(10))).isEmpty();
        apply(new Fact.PodUpserted(
                aPod("p").asking("1 cpu").ownedBy("Job/job").on("n1").build()));
        annotateNode("job", "2 cpu");
        assertThat(eventsWithin(Duration.ofMinutes(1))).isEmpty();
    }

    @Test
    void deletedOwnerIsReportedAndReportedAgainAfterItWasRecreatedAndDeleted() {
        apply(new Fact.WorkloadUpserted(REPLICA_SET));
        annotateNode(OWNER, "2 cpu");
        assertThat(eventsWithin(Duration.ofSeconds(10))).isEmpty();
        apply(new Fact.WorkloadDeleted(REPLICA_SET.key()));
        assertThat(eventsWithin(Duration.ofMinutes(1))).hasSize(1);
        apply(new Fact.WorkloadUpserted(REPLICA_SET));
        assertThat(eventsWithin(Duration.ofMinutes(1))).isEmpty();
        apply(new Fact.WorkloadDeleted(REPLICA_SET.key()));
        assertThat(eventsWithin(Duration.ofMinutes(1))).hasSize(1);
    }

    @Test
    void anOwnerThatIsNoUidIsReported() {
        annotateNode("web", "2 cpu");
        assertThat(eventsWithin(Duration.ofSeconds(10)))
                .singleElement()
                .asString()
                .contains("Resources are reserved for owner (web), but this is not a UID.");
    }

    @Test
    void aDeploymentsUidIsReportedWithItsReplicaSets() {
        apply(new Fact.WorkloadUpserted(REPLICA_SET));
        annotateNode(DEPLOYMENT, "2 cpu");
        assertThat(eventsWithin(Duration.ofSeconds(10)))
                .containsExactly("Node n1: Resources are reserved for owner (" + DEPLOYMENT + "), which is"
                        + " Deployment default/web. Its pods are controlled by ReplicaSets: set the UID of the one that"
                        + " has pods (kubectl get replicasets -n default).");
    }

    @Test
    void reserveThatExceedsAllocatableIsReported() {
        apply(new Fact.WorkloadUpserted(REPLICA_SET));
        annotateNode(OWNER, "7 cpu");
        assertThat(eventsWithin(Duration.ofSeconds(10)))
                .contains("Node n1: Annotations reserve 7 of cpu, but the node has 6 allocatable. Reserve less.")
                .anyMatch(event -> event.startsWith("Node n1: node n1 is over-committed: 1 cpu of what is reserved"))
                .hasSize(2);
        annotateNode(OWNER, "6 cpu");
        assertThat(eventsWithin(Duration.ofMinutes(1))).isEmpty();
    }
}
