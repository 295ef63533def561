package dev.berth.core.door.nodeannotation;

import static dev.berth.core.testing.SchedulerBuilder.aScheduler;

import dev.berth.core.cluster.Node;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.fact.Fact;
import dev.berth.core.resource.Resources;
import dev.berth.core.scheduling.Scheduler;
import dev.berth.core.testing.SchedulerScene;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The nodeannotation door and an API server with annotated nodes. Nothing runs before the test says so. */
final class NodeAnnotationScene extends SchedulerScene<NodeAnnotationScene> {
    static final String SCHEDULER = "test-scheduler";

    @Override
    protected Scheduler newScheduler() {
        return aScheduler()
                .serving(SCHEDULER)
                .withDoors(new NodeAnnotationDoor())
                .build();
    }

    @Override
    protected List<Fact> listObjects() {
        return List.of();
    }

    @Override
    protected WriteResult perform(Effect.Write write) {
        throw new AssertionError("the door writes nothing, but it wrote " + write);
    }

    @Override
    protected NodeAnnotationScene runTurns() {
        return this;
    }

    /** @param problems what is malformed in the annotations */
    NodeAnnotationScene annotate(Node node, Map<String, Resources> reserved, String... problems) {
        upsert(node);
        return apply(new NodeReservedResources(node.uid(), node.name(), reserved, List.of(problems)));
    }

    List<Effect.Bind> schedulePods() {
        return scheduleAll().stream()
                .filter(Effect.Bind.class::isInstance)
                .map(Effect.Bind.class::cast)
                .toList();
    }

    /** Reconciles the door and dispatches its effects. */
    NodeAnnotationScene reconcile() {
        reconcileComponents();
        scheduler().drainEffects().forEach(this::dispatch);
        return this;
    }

    /** The events of this time. */
    List<String> eventsWithin(Duration time) {
        int before = events.size();
        reconcile().advance(time).reconcile();
        return List.copyOf(events.subList(before, events.size()));
    }
}
