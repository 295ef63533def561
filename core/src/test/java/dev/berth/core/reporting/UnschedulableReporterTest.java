package dev.berth.core.reporting;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static dev.berth.core.testing.SchedulerBuilder.aScheduler;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.EventTarget;
import dev.berth.core.fact.Fact;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.queue.BackoffPolicy;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.scheduling.Scheduler;
import dev.berth.core.testing.PodBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UnschedulableReporterTest {
    private final Ledger ledger = new Ledger();
    private final SchedulingQueue queue = new SchedulingQueue(BackoffPolicy.DEFAULT);
    private final Scheduler scheduler =
            aScheduler(ledger).serving("berth-scheduler").withQueue(queue).build();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void aDroppedReportIsSentAgainAtTheNextAttempt() {
        Pod big = pod("big").asking("9 cpu").build();
        apply(new Fact.PodUpserted(big));
        List<Effect> told = scheduler.scheduleOne(now).orElseThrow();
        assertThat(told).hasSize(2);
        assertThat(scheduleAgain()).as("once is enough").isEmpty();
        scheduler.onReportDropped(told.get(1));
        assertThat(scheduleAgain()).isEqualTo(told);
        scheduler.onReportDropped(told.get(0));
        assertThat(scheduleAgain()).as("the event alone").containsExactly(told.get(0));
    }

    @Test
    void aMessageTooLongForAnEventIsTruncatedAndSentAgainWhenTheEventIsDropped() {
        String[] asked = IntStream.range(0, 60)
                .mapToObj("1 example.com/a-device-with-a-long-name-%d"::formatted)
                .toArray(String[]::new);
        apply(new Fact.NodeUpserted(
                aNode("n1").with("4 cpu", "8Gi memory", "10 pods").build()));
        apply(new Fact.PodUpserted(pod("big").asking(asked).build()));
        List<Effect> told = scheduler.scheduleOne(now).orElseThrow();
        assertThat(((Effect.RecordEvent) told.get(0)).note()).hasSize(1024).endsWith(" ...");
        assertThat(((Effect.MarkUnscheduled) told.get(1)).message()).hasSizeGreaterThan(1024);
        scheduler.onReportDropped(told.get(0));
        assertThat(scheduleAgain()).as("the event alone").containsExactly(told.get(0));
    }

    @Test
    void aMessageTooLongForAConditionIsTruncatedAndSentAgainWhenTheConditionIsDropped() {
        String[] asked = IntStream.range(0, 1_000)
                .mapToObj("1 example.com/a-device-with-a-long-name-%d"::formatted)
                .toArray(String[]::new);
        apply(new Fact.NodeUpserted(
                aNode("n1").with("4 cpu", "8Gi memory", "10 pods").build()));
        apply(new Fact.PodUpserted(pod("big").asking(asked).build()));
        List<Effect> told = scheduler.scheduleOne(now).orElseThrow();
        assertThat(((Effect.MarkUnscheduled) told.get(1)).message())
                .hasSize(32_768)
                .endsWith(" ...");
        scheduler.onReportDropped(told.get(1));
        assertThat(scheduleAgain()).isEqualTo(told);
    }

    @Test
    void anEventIsTruncatedBetweenTwoCharacters() {
        EventTarget eventTarget = new EventTarget("v1", "Node", "", "n1", "n1", "berth");
        Effect.RecordEvent.EventTemplate kind = Effect.RecordEvent.EventTemplate.warning("Reason", "Action");
        for (int ascii = 0; ascii < 3; ascii++) {
            String note = new Effect.RecordEvent(eventTarget, kind, "x".repeat(ascii) + "€".repeat(1_000)).note();
            assertThat(note.getBytes(StandardCharsets.UTF_8)).hasSizeBetween(1_021, 1_024);
            assertThat(note).matches("x*€+ \\.{3}");
        }
    }

    @Test
    void aDroppedReportIsNotSentAgainOnceAnotherMessageWasReported() {
        apply(new Fact.PodUpserted(pod("big").asking("9 cpu").build()));
        List<Effect> first = scheduler.scheduleOne(now).orElseThrow();
        apply(new Fact.NodeUpserted(
                aNode("n1").with("4 cpu", "8Gi memory", "10 pods").build()));
        assertThat(scheduleAgain()).as("another text").hasSize(2);
        first.forEach(scheduler::onReportDropped);
        assertThat(scheduleAgain()).isEmpty();
    }

    private List<Effect> scheduleAgain() {
        advance(Duration.ofSeconds(30));
        queue.requeue(new PodUid("big"), now);
        return scheduler.scheduleOne(now).orElseThrow();
    }

    private void advance(Duration by) {
        now = now.plus(by);
        scheduler.advance(now);
    }

    private void apply(Fact fact) {
        scheduler.apply(fact, now);
    }

    private static PodBuilder pod(String name) {
        return aPod(name).with(pod -> pod.schedulerName("berth-scheduler"));
    }
}
