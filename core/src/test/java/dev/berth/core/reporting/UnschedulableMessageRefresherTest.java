package dev.berth.core.reporting;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static dev.berth.core.testing.SchedulerBuilder.aScheduler;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.effect.Effect;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.scheduling.Scheduler;
import dev.berth.core.testing.HoldBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The message of a pending pod names only holds that are there. */
class UnschedulableMessageRefresherTest {
    private final Ledger ledger = new Ledger();
    private final Scheduler scheduler = aScheduler(ledger).build();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    private static HoldBuilder hold(String id) {
        return aHold(id)
                .on("n1")
                .keeping("2 cpu")
                .forPodsLabelled("app", id)
                .from(Origin.DoorId.KOORDINATOR, "Reservation " + id);
    }

    private List<String> messages() {
        List<String> messages = new ArrayList<>();
        for (Optional<List<Effect>> next = scheduler.scheduleOne(now);
                next.isPresent();
                next = scheduler.scheduleOne(now)) {
            for (Effect effect : next.get()) {
                if (effect instanceof Effect.MarkUnscheduled mark) {
                    messages.add(mark.pod().name() + ": " + mark.message());
                }
            }
        }
        return messages;
    }

    private List<String> messagesAfter(Duration time) {
        now = now.plus(time);
        scheduler.advance(now);
        List<String> messages = new ArrayList<>(messages());
        now = now.plusSeconds(15);
        scheduler.advance(now);
        messages.addAll(messages());
        return messages;
    }

    private void apply(Fact fact) {
        scheduler.apply(fact, now);
    }

    private void twoHoldsOnOneNode() {
        apply(new Fact.NodeUpserted(aNode("n1").with("4 cpu", "200 pods").build()));
        apply(new Fact.HoldUpserted(hold("r").build()));
        apply(new Fact.HoldUpserted(hold("s").build()));
    }

    @Test
    void aPendingPodsMessageIsRefreshedWhenANamedHoldEnds() {
        twoHoldsOnOneNode();
        apply(new Fact.PodUpserted(aPod("p").asking("4 cpu").build()));
        assertThat(messages()).singleElement().asString().contains("Reservation r", "Reservation s");
        apply(new Fact.HoldDeleted(new HoldId("r")));
        assertThat(scheduler.nextWake()).contains(now.plusSeconds(1));
        assertThat(messagesAfter(Duration.ofSeconds(1)))
                .singleElement()
                .asString()
                .contains("Reservation s")
                .doesNotContain("Reservation r");
    }

    @Test
    void endingAHoldThatNoMessageNamesRefreshesNoPod() {
        twoHoldsOnOneNode();
        apply(new Fact.PodUpserted(aPod("p").asking("5 cpu").build()));
        assertThat(messages()).hasSize(1);
        apply(new Fact.HoldDeleted(new HoldId("r")));
        assertThat(messagesAfter(Duration.ofSeconds(1))).isEmpty();
    }

    @Test
    void atMostTwoHundredPodsASecondAreRefreshed() {
        twoHoldsOnOneNode();
        for (int i = 0; i < 500; i++) {
            apply(new Fact.PodUpserted(aPod("p" + i).asking("4 cpu").build()));
        }
        assertThat(messages()).hasSize(500);
        apply(new Fact.HoldDeleted(new HoldId("r")));
        assertThat(messagesAfter(Duration.ofSeconds(1))).hasSize(400);
        assertThat(messagesAfter(Duration.ofSeconds(1))).hasSize(100);
        assertThat(messagesAfter(Duration.ofSeconds(1))).isEmpty();
    }
}
