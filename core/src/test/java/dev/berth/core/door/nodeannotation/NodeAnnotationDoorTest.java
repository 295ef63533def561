package dev.berth.core.door.nodeannotation;

import static dev.berth.core.testing.Amounts.amounts;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.ControllerRef;
import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.Workload;
import dev.berth.core.effect.Effect;
import dev.berth.core.fact.Fact;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.queue.BackoffPolicy;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.core.scheduling.Scheduler;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NodeAnnotationDoorTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Node NODE =
            aNode("n1").with("6 cpu", "8Gi memory", "10 pods").build();

    private final Ledger ledger = new Ledger();
    private final Scheduler scheduler = new Scheduler(
            ledger,
            new Placer(ledger, ScoreWeights.DEFAULT),
            new SchedulingQueue(BackoffPolicy.DEFAULT),
            Set.of("test-scheduler"),
            List.of(new NodeAnnotationDoor()));

    @Test
    void reservedResourcesAreRefusedToOtherPodsAndUsedByTheOwner() {
        annotateNode(Map.of("rs-1", amounts("5 cpu")));
        apply(new Fact.PodUpserted(pod("stranger", "rs-2", "2 cpu")));
        apply(new Fact.PodUpserted(pod("web", "rs-1", "2 cpu")));
        List<Effect.Bind> binds = binds();
        assertThat(binds).singleElement().satisfies(bind -> {
            assertThat(bind.pod().name()).isEqualTo("web");
            assertThat(bind.annotations()).containsEntry("berth.dev/hold", "node-annotation/n1/rs-1");
        });
        assertThat(free()).as("6 - 2 used - 3 still kept").isEqualTo(1000);
    }

    @Test
    void aPodOfAnotherNamespaceThatNamesTheOwnerAsItsControllerDoesNotGetTheRoom() {
        Workload owner = new Workload(
                Workload.Kind.REPLICA_SET, "team-a", "web-1", LabelSelector.EVERYTHING, "rs-1", Optional.empty());
        annotateNode(Map.of("rs-1", amounts("6 cpu")));
        apply(new Fact.WorkloadUpserted(owner));
        apply(new Fact.PodUpserted(pod("team-b/thief", "rs-1", "2 cpu")));
        assertThat(binds())
                .as("the room is kept for ReplicaSet team-a/web-1, and any tenant can write its UID as a controller")
                .isEmpty();
        apply(new Fact.PodUpserted(pod("team-a/web", "rs-1", "2 cpu")));
        assertThat(binds()).extracting(bind -> bind.pod().name()).containsExactly("web");
    }

    @Test
    void annotationSeenAfterAPendingPodStillRefusesThePod() {
        apply(new Fact.PodUpserted(pod("stranger", "rs-2", "2 cpu")));
        annotateNode(Map.of("rs-1", amounts("5 cpu")));
        assertThat(binds()).isEmpty();
    }

    @Test
    void removedAnnotationFreesItsResources() {
        annotateNode(Map.of("rs-1", amounts("5 cpu"), "rs-3", amounts("1 cpu")));
        assertThat(free()).isZero();
        annotateNode(Map.of("rs-3", amounts("1 cpu")));
        assertThat(free()).isEqualTo(5000);
        annotateNode(Map.of());
        assertThat(free()).isEqualTo(6000);
    }

    @Test
    void theHoldsEndWithTheNode() {
        annotateNode(Map.of("rs-1", amounts("5 cpu")));
        apply(new Fact.NodeDeleted(NODE.uid()));
        assertThat(ledger.holdsWithoutNode()).isEmpty();
        apply(new Fact.NodeUpserted(NODE));
        assertThat(free()).isEqualTo(6000);
    }

    @Test
    void malformedAnnotationIsReportedOnceOnTheNode() {
        apply(new Fact.NodeUpserted(NODE));
        apply(new NodeReservedResources(NODE.uid(), "n1", Map.of(), List.of("annotation (reserve.cpu/x): nonsense")));
        scheduler.reconcileDoors(NOW);
        assertThat(scheduler.drainEffects()).singleElement().satisfies(effect -> {
            Effect.RecordEvent said = (Effect.RecordEvent) effect;
            assertThat(said.target()).hasToString("Node n1");
            assertThat(said.kind().type()).isEqualTo("Warning");
            assertThat(said.note()).isEqualTo("annotation (reserve.cpu/x): nonsense");
        });
        apply(new NodeReservedResources(NODE.uid(), "n1", Map.of(), List.of("annotation (reserve.cpu/x): nonsense")));
        scheduler.reconcileDoors(NOW);
        assertThat(scheduler.drainEffects()).as("the same is not said again").isEmpty();
    }

    private void annotateNode(Map<String, Resources> kept) {
        apply(new Fact.NodeUpserted(NODE));
        apply(new NodeReservedResources(NODE.uid(), "n1", kept, List.of()));
    }

    private void apply(Fact fact) {
        scheduler.apply(fact, NOW);
    }

    private List<Effect.Bind> binds() {
        List<Effect> effects = new ArrayList<>();
        for (Optional<List<Effect>> next = scheduler.scheduleOne(NOW);
                next.isPresent();
                next = scheduler.scheduleOne(NOW)) {
            effects.addAll(next.get());
        }
        return effects.stream()
                .filter(Effect.Bind.class::isInstance)
                .map(Effect.Bind.class::cast)
                .toList();
    }

    private long free() {
        return ledger.node("n1").orElseThrow().free().get(ResourceName.CPU);
    }

    private static Pod pod(String name, String owner, String cpu) {
        ControllerRef controller = new ControllerRef("apps/v1", "ReplicaSet", owner, owner);
        return aPod(name)
                .asking(cpu)
                .with(pod -> pod.schedulerName("test-scheduler").controller(Optional.of(controller)))
                .build();
    }
}
