package dev.berth.core.door.godel;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static dev.berth.core.testing.SchedulerBuilder.aScheduler;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.effect.Effect;
import dev.berth.core.fact.Fact;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.core.scheduling.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A TTL expires while the bind of the successor is in flight, or waits for volumes. */
class ExpiredWhileBindingTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant LATER = NOW.plusSeconds(61);

    private final Ledger ledger = new Ledger();
    private final Scheduler scheduler =
            aScheduler(ledger).withDoors(new GodelDoor(Duration.ofSeconds(60))).build();

    @Test
    void noExpiryEventIsRecordedWhileTheReturningPodIsBeingBound() {
        Effect.Bind bind = bindJustInTime();

        assertThat(runTurnsAt(LATER)).as("while the bind is under way").isEmpty();

        Pod bound = ledger.pod(bind.pod().uid()).orElseThrow().boundTo("n1").toBuilder()
                .annotations(Labels.of(bind.annotations()).with(GodelAnnotations.INDEX, "i"))
                .build();
        scheduler.apply(new Fact.PodUpserted(bound), LATER);
        scheduler.onBound(bind);
        assertThat(runTurnsAt(LATER))
                .as("once the pod is bound the Reservation goes without a word")
                .singleElement()
                .isInstanceOf(GodelWrite.DeleteReservation.class);
    }

    @Test
    void expiryEventIsRecordedOnceTheBindOfTheReturningPodFails() {
        Effect.Bind bind = bindJustInTime();
        assertThat(runTurnsAt(LATER)).isEmpty();

        scheduler.onBindFailed(bind, Optional.empty(), LATER);

        assertThat(runTurnsAt(LATER))
                .anyMatch(GodelWrite.DeleteReservation.class::isInstance)
                .anyMatch(effect -> effect instanceof Effect.RecordEvent event
                        && event.note().startsWith("No pod returned to node n1 before the Reservation expired."));
    }

    /** The pod is placed a second before the TTL expires. */
    private Effect.Bind bindJustInTime() {
        scheduler.apply(
                new Fact.NodeUpserted(aNode("n1").with("8 cpu", "10 pods").build()), NOW);
        scheduler.apply(
                new GodelFact.ReservationUpserted(GodelReservation.builder("default", "first", "u", NOW)
                        .key("i")
                        .originalPodUid("left")
                        .nodeName("n1")
                        .ttlSeconds(Optional.of(60L))
                        .size(Resources.of(ResourceName.CPU, 8_000).plus(Resources.of(ResourceName.PODS, 1)))
                        .build()),
                NOW);
        runTurnsAt(NOW);
        Instant before = NOW.plusSeconds(59);
        scheduler.apply(
                new Fact.PodUpserted(aPod("back")
                        .asking("8 cpu")
                        .annotated(GodelAnnotations.INDEX, "i")
                        .build()),
                before);
        runTurnsAt(before);
        Effect bind = scheduler.scheduleOne(before).orElseThrow().get(0);
        scheduler.drainEffects();
        return (Effect.Bind) bind;
    }

    private List<Effect> runTurnsAt(Instant now) {
        scheduler.advance(now);
        scheduler.reconcileComponents(now);
        return List.copyOf(scheduler.drainEffects());
    }
}
