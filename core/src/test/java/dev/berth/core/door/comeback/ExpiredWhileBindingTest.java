package dev.berth.core.door.comeback;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.decision.Decider;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Fact;
import dev.berth.core.hold.ReturnKey;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.queue.BackOff;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The time of a place ends while the bind of the pod that took it is under way, or waits for volumes. */
class ExpiredWhileBindingTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant LATER = NOW.plusSeconds(61);

    private final Ledger ledger = new Ledger();
    private final Decider decider = new Decider(
            ledger,
            new Placer(ledger, ScoreWeights.DEFAULT),
            new SchedulingQueue(BackOff.DEFAULT),
            Set.of("default-scheduler"),
            List.of(new ComebackDoor(Duration.ofSeconds(60))));

    @Test
    void nobodyIsToldThatNoPodReturnedWhileTheReturningPodIsBeingBound() {
        Effect.Bind bind = bindJustInTime();

        assertThat(settleAt(LATER)).as("while the bind is under way").isEmpty();

        Pod bound = ledger.pod(bind.pod().uid()).orElseThrow().on("n1").toBuilder()
                .annotations(Labels.of(bind.annotations()).with(ReturnKey.INDEX, "i"))
                .build();
        decider.learn(new Fact.PodSeen(bound), LATER);
        decider.bound(bind);
        assertThat(settleAt(LATER))
                .as("once the pod is bound the Reservation goes without a word")
                .singleElement()
                .isInstanceOf(ComebackWrite.Delete.class);
    }

    @Test
    void theEndIsToldOnceTheBindOfTheReturningPodHasFailed() {
        Effect.Bind bind = bindJustInTime();
        assertThat(settleAt(LATER)).isEmpty();

        decider.notBound(bind, Optional.empty(), LATER);

        assertThat(settleAt(LATER))
                .anyMatch(ComebackWrite.Delete.class::isInstance)
                .anyMatch(effect -> effect instanceof Effect.Announce event
                        && event.note().startsWith("No pod returned to node n1 before the Reservation expired."));
    }

    /** The pod is placed a second before the time of the place is over. */
    private Effect.Bind bindJustInTime() {
        decider.learn(new Fact.NodeSeen(aNode("n1").with("8 cpu", "10 pods").build()), NOW);
        decider.learn(
                new ComebackFact.PlaceholderSeen(Placeholder.builder("default", "first", "u", NOW)
                        .key("i")
                        .podUid("left")
                        .node("n1")
                        .ttl(Optional.of(60L))
                        .size(Resources.of(ResourceName.CPU, 8_000).plus(Resources.of(ResourceName.PODS, 1)))
                        .build()),
                NOW);
        settleAt(NOW);
        Instant before = NOW.plusSeconds(59);
        decider.learn(
                new Fact.PodSeen(aPod("back")
                        .asking("8 cpu")
                        .annotated(ReturnKey.INDEX, "i")
                        .build()),
                before);
        settleAt(before);
        Effect bind = decider.next(before).orElseThrow().get(0);
        decider.takeEffects();
        return (Effect.Bind) bind;
    }

    private List<Effect> settleAt(Instant now) {
        decider.advance(now);
        decider.settle(now);
        return List.copyOf(decider.takeEffects());
    }
}
