package dev.berth.core.door.nodeannotation;

import static dev.berth.core.testing.Amounts.amounts;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.ControllerRef;
import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Workload;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.HoldId;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
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

    private final NodeAnnotationScene scene = new NodeAnnotationScene();

    private void annotateNode(String owner, String... size) {
        scene.annotate(NODE, Map.of(owner, amounts(size)));
    }

    @Test
    void anOwnerThatDoesNotExistIsReportedOnceOnTheNode() {
        annotateNode(OWNER, "2 cpu");
        assertThat(scene.eventsWithin(Duration.ofSeconds(9)))
                .as("the owner may be seen later than the node")
                .isEmpty();
        assertThat(scene.eventsWithin(Duration.ofSeconds(1)))
                .containsExactly(
                        "Node n1: Resources are reserved for owner (" + OWNER + "), but no ReplicaSet, StatefulSet,"
                                + " ReplicationController or controller of a pod on a node has this UID. Set the UID of the"
                                + " object that controls the pods, or remove the annotation.");
        assertThat(scene.eventsWithin(Duration.ofMinutes(1)))
                .as("the same is not said again")
                .isEmpty();
    }

    @Test
    void aPodThatAnotherSchedulerBindsOntoTheCapacityIsReportedOnTheNode() {
        scene.apply(new Fact.WorkloadUpserted(REPLICA_SET));
        annotateNode(OWNER, "4 cpu");
        scene.upsert(aPod("intruder").asking("3 cpu").on("n1"));
        assertThat(scene.eventsWithin(Duration.ZERO))
                .containsExactly(
                        "Node n1: node n1 is over-committed: 1 cpu of what is reserved there are not available;"
                                + " pods there that use no hold: default/intruder (scheduler default-scheduler); reserved by:"
                                + " annotation of node n1 for ReplicaSet default/web-1");
    }

    @Test
    void theHoldIsNamedAfterItsOwnerAlsoIfTheOwnerIsSeenLater() {
        annotateNode(OWNER, "2 cpu");
        assertThat(origin()).isEqualTo("annotation of node n1 for owner " + OWNER);
        scene.apply(new Fact.WorkloadUpserted(REPLICA_SET));
        assertThat(origin()).isEqualTo("annotation of node n1 for ReplicaSet default/web-1");
        annotateNode(OWNER, "3 cpu");
        assertThat(origin()).isEqualTo("annotation of node n1 for ReplicaSet default/web-1");
        scene.apply(new Fact.WorkloadDeleted(REPLICA_SET.key()));
        assertThat(origin()).isEqualTo("annotation of node n1 for owner " + OWNER);
    }

    private String origin() {
        HoldId hold = new HoldId("node-annotation/%s/%s".formatted(NODE.uid().value(), OWNER));
        return scene.ledger().hold(hold).orElseThrow().origin().displayName();
    }

    @Test
    void anOwnerThatIsAReplicaSetOrControlsAPodIsNotReported() {
        scene.apply(new Fact.WorkloadUpserted(REPLICA_SET));
        annotateNode(OWNER, "2 cpu");
        assertThat(scene.eventsWithin(Duration.ofSeconds(10))).isEmpty();
        scene.upsert(aPod("p").asking("1 cpu").ownedBy("Job/job").on("n1"));
        annotateNode("job", "2 cpu");
        assertThat(scene.eventsWithin(Duration.ofMinutes(1))).isEmpty();
    }

    @Test
    void deletedOwnerIsReportedAndReportedAgainAfterItWasRecreatedAndDeleted() {
        scene.apply(new Fact.WorkloadUpserted(REPLICA_SET));
        annotateNode(OWNER, "2 cpu");
        assertThat(scene.eventsWithin(Duration.ofSeconds(10))).isEmpty();
        scene.apply(new Fact.WorkloadDeleted(REPLICA_SET.key()));
        assertThat(scene.eventsWithin(Duration.ofMinutes(1))).hasSize(1);
        scene.apply(new Fact.WorkloadUpserted(REPLICA_SET));
        assertThat(scene.eventsWithin(Duration.ofMinutes(1))).isEmpty();
        scene.apply(new Fact.WorkloadDeleted(REPLICA_SET.key()));
        assertThat(scene.eventsWithin(Duration.ofMinutes(1))).hasSize(1);
    }

    @Test
    void anOwnerThatIsNotAUidIsReported() {
        annotateNode("web", "2 cpu");
        assertThat(scene.eventsWithin(Duration.ofSeconds(10)))
                .singleElement()
                .asString()
                .contains("Resources are reserved for owner (web), but this is not a UID.");
    }

    @Test
    void aDeploymentsUidIsReportedWithItsReplicaSets() {
        scene.apply(new Fact.WorkloadUpserted(REPLICA_SET));
        annotateNode(DEPLOYMENT, "2 cpu");
        assertThat(scene.eventsWithin(Duration.ofSeconds(10)))
                .containsExactly("Node n1: Resources are reserved for owner (" + DEPLOYMENT + "), which is"
                        + " Deployment default/web. Its pods are controlled by ReplicaSets: set the UID of the one that"
                        + " has pods (kubectl get replicasets -n default).");
    }

    @Test
    void reserveThatExceedsAllocatableIsReported() {
        scene.apply(new Fact.WorkloadUpserted(REPLICA_SET));
        annotateNode(OWNER, "7 cpu");
        assertThat(scene.eventsWithin(Duration.ofSeconds(10)))
                .contains("Node n1: Annotations reserve 7 of cpu, but the node has 6 allocatable. Reserve less.")
                .anyMatch(event -> event.startsWith("Node n1: node n1 is over-committed: 1 cpu of what is reserved"))
                .hasSize(2);
        annotateNode(OWNER, "6 cpu");
        assertThat(scene.eventsWithin(Duration.ofMinutes(1))).isEmpty();
    }
}
