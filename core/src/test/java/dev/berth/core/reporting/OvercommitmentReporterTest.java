package dev.berth.core.reporting;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static dev.berth.core.testing.SchedulerBuilder.aScheduler;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.scheduling.Scheduler;
import dev.berth.core.testing.HoldBuilder;
import dev.berth.core.testing.NodeBuilder;
import dev.berth.core.testing.PodBuilder;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A node with less room than pods use and holds keep there is reported by an event on the node. */
class OvercommitmentReporterTest {
    /** So short that a few changes overflow it. */
    private static final int LOGGED_CHANGES = 8;

    private final Ledger ledger = new Ledger(LOGGED_CHANGES);
    private final Scheduler scheduler =
            aScheduler(ledger).serving("berth-scheduler").build();
    private final Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @BeforeEach
    void aNodeOfEightCpu() {
        upsert(node("n1"));
    }

    private static NodeBuilder node(String name) {
        return aNode(name).with("8 cpu", "10 pods");
    }

    private static HoldBuilder hold(String id, String cpu) {
        return aHold(id).on("n1").keeping(cpu).forPodsLabelled("app", "web");
    }

    private static PodBuilder podOfOtherScheduler(String name) {
        return aPod(name).asking("4 cpu").on("n1");
    }

    private void upsert(NodeBuilder node) {
        apply(new Fact.NodeUpserted(node.build()));
    }

    private void upsert(HoldBuilder hold) {
        apply(new Fact.HoldUpserted(hold.build()));
    }

    private void upsert(PodBuilder pod) {
        apply(new Fact.PodUpserted(pod.build()));
    }

    private void delete(String pod) {
        apply(new Fact.PodDeleted(new PodUid(pod)));
    }

    private void apply(Fact fact) {
        scheduler.apply(fact, now);
    }

    private List<Effect> effectsAfterReconcile() {
        scheduler.reconcileComponents(now);
        return scheduler.drainEffects();
    }

    private List<String> reports() {
        return effectsAfterReconcile().stream()
                .map(Effect.RecordEvent.class::cast)
                .map(event -> "%s %s %s: %s"
                        .formatted(event.kind().type(), event.kind().reason(), event.target(), event.note()))
                .toList();
    }

    @ParameterizedTest
    @EnumSource(
            value = Origin.DoorId.class,
            names = {"KOORDINATOR", "GODEL", "NODE_ANNOTATION", "GLOBALRESERVE"})
    void whenAnotherSchedulerBindsAPodOntoHeldCapacityTheNodeNamesThePodTheAmountAndTheHold(Origin.DoorId doorId) {
        upsert(hold("h", "6 cpu").from(doorId, "what keeps it"));
        upsert(podOfOtherScheduler("intruder"));
        assertThat(reports())
                .containsExactly("Warning Overcommitted Node n1: node n1 is over-committed: 2 cpu of what is reserved"
                        + " there are not available; pods there that use no hold: default/intruder (scheduler"
                        + " default-scheduler); reserved by: what keeps it");
    }

    @Test
    void anOvercommittedNodeIsReportedOnceUntilTheOvercommitmentEnds() {
        upsert(hold("h", "6 cpu"));
        upsert(podOfOtherScheduler("first"));
        assertThat(reports()).hasSize(1);
        upsert(podOfOtherScheduler("second"));
        delete("first");
        assertThat(reports()).as("still over-committed").isEmpty();
        delete("second");
        assertThat(reports()).isEmpty();
        upsert(podOfOtherScheduler("third"));
        assertThat(reports()).as("over-committed again").hasSize(1);
        apply(new Fact.HoldDeleted(new HoldId("h")));
        assertThat(reports()).isEmpty();
        upsert(hold("h", "6 cpu"));
        assertThat(reports()).as("by a hold").hasSize(1);
    }

    @Test
    void aNodeRecreatedUnderTheSameNameIsReportedAgain() {
        upsert(hold("h", "6 cpu"));
        upsert(podOfOtherScheduler("intruder"));
        assertThat(reports()).hasSize(1);
        apply(new Fact.NodeDeleted(new NodeUid("n1")));
        upsert(node("n1").uid("n1-again"));
        upsert(hold("other", "6 cpu").on("n1-again"));
        assertThat(reports()).hasSize(1);
    }

    @Test
    void anOvercommittedNodeIsReportedEvenAfterTheChangeLogOverflowed() {
        upsert(hold("h", "6 cpu"));
        assertThat(reports()).isEmpty();
        upsert(podOfOtherScheduler("intruder"));
        for (int i = 0; i < 2 * LOGGED_CHANGES; i++) {
            upsert(node("other-" + i));
        }
        assertThat(reports()).hasSize(1);
        delete("intruder");
        for (int i = 0; i < 2 * LOGGED_CHANGES; i++) {
            upsert(node("more-" + i));
        }
        assertThat(reports()).isEmpty();
        upsert(podOfOtherScheduler("intruder-2"));
        assertThat(reports()).hasSize(1);
    }

    @Test
    void aNodeThatPodsAloneFillIsNotReported() {
        upsert(hold("h", "0 cpu"));
        upsert(podOfOtherScheduler("first").asking("9 cpu"));
        assertThat(reports()).isEmpty();
    }

    @Test
    void aNominatedPodThatLosesItsCapacityIsNotReportedOnTheNode() {
        upsert(hold("h", "6 cpu").from(Origin.PluginId.PREEMPTION, "nominated pod default/p"));
        upsert(podOfOtherScheduler("intruder"));
        assertThat(reports()).isEmpty();
    }

    @Test
    void threeHoldsAndPodsAreNamedAndTheOthersCounted() {
        for (int i = 0; i < 5; i++) {
            upsert(hold("h" + i, "1 cpu"));
            upsert(podOfOtherScheduler("p" + i).asking("1 cpu"));
        }
        assertThat(reports())
                .singleElement()
                .asString()
                .contains(
                        "2 cpu of what is reserved",
                        " and 2 more; reserved by: Reservation h0, Reservation h1," + " Reservation h2 and 2 more");
    }

    @Test
    void anEventThatWasNotWrittenIsSentAgainAtTheNextChangeOfTheNode() {
        upsert(hold("h", "6 cpu"));
        upsert(podOfOtherScheduler("intruder"));
        effectsAfterReconcile().forEach(scheduler::onReportDropped);
        upsert(aPod("small").asking("1 cpu").on("n1"));
        assertThat(reports()).hasSize(1);
    }
}
