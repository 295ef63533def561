package dev.berth.engine;

import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.effect.Effect;
import dev.berth.core.scheduling.TimeBudget;
import dev.berth.core.testing.ManualClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ReportDispatcherTest {
    private static final WriteResponse BUSY = new WriteResponse.Throttled(Duration.ofSeconds(1), "too many requests");
    private static final WriteResponse REFUSED =
            new WriteResponse.Throttled(Duration.ofMillis(500), "connection refused");
    private static final int IN_FLIGHT = 2;
    private static final int MOST_WAITING = 5;

    private final ManualClock clock = new ManualClock();
    private final DelayedTasks delayedTasks = new DelayedTasks();
    private final Queue<Runnable> inbox = new ArrayDeque<>();
    private final FakeApiServer api = new FakeApiServer();
    private final List<Effect> dropped = new ArrayList<>();
    private boolean wanted = true;
    private final ReportDispatcher reportDispatcher = new ReportDispatcher(
            new DispatchContext(api, inbox::add, delayedTasks, clock, () -> true),
            new ReportDispatcher.ReportListener() {
                @Override
                public boolean isStillTrue(Effect effect) {
                    return wanted;
                }

                @Override
                public void onDropped(Effect effect) {
                    dropped.add(effect);
                }
            },
            new EngineSettings(
                    64,
                    4,
                    IN_FLIGHT,
                    MOST_WAITING,
                    4,
                    8,
                    Duration.ofMillis(6),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(10)));

    @Test
    void onlyTheNewestConditionOfAPodIsQueued() {
        api.answerReports(REFUSED);
        for (int i = 0; i < 1_000; i++) {
            reportDispatcher.add(mark("web", "text " + i));
            turn();
        }
        assertThat(reportDispatcher.pendingCount())
                .as("one on its way or put off, and the newest")
                .isLessThanOrEqualTo(2);
        api.answerReports(new WriteResponse.Succeeded());
        advance(Duration.ofSeconds(30));
        assertThat(api.conditions).containsExactly("default/web Unschedulable: text 999");
        assertThat(reportDispatcher.pendingCount()).isZero();
        assertThat(dropped).isEmpty();
    }

    @Test
    void aThrottledConditionDoesNotOverwriteANewerOne() {
        api.answerNextReport(BUSY);
        reportDispatcher.add(mark("web", "old"));
        turn();
        reportDispatcher.add(mark("web", "new"));
        advance(Duration.ofSeconds(5));
        assertThat(api.conditions).containsExactly("default/web Unschedulable: new");
    }

    @Test
    void twoConditionsOfAPodAreNeverInFlightAtOnce() {
        CompletableFuture<WriteResponse> open = api.holdNextReport();
        reportDispatcher.add(mark("web", "old"));
        turn();
        reportDispatcher.add(mark("web", "new"));
        reportDispatcher.add(mark("other", "else"));
        turn();
        assertThat(api.conditions).containsExactly("default/other Unschedulable: else");
        open.complete(new WriteResponse.Succeeded());
        turn();
        assertThat(api.conditions)
                .containsExactly("default/other Unschedulable: else", "default/web Unschedulable: new");
    }

    @Test
    void aConditionIsRetriedAfterAConflict() {
        api.answerNextReport(new WriteResponse.Conflict("the object has been modified"));
        reportDispatcher.add(mark("web", "text"));
        advance(Duration.ofSeconds(1));
        assertThat(api.conditions).containsExactly("default/web Unschedulable: text");
        assertThat(reportDispatcher.pendingCount()).isZero();
    }

    @Test
    void theOldestEventsAreDroppedAndCountedWhenTheQueueIsFull() {
        api.answerReports(REFUSED);
        for (int i = 0; i < 12; i++) {
            reportDispatcher.add(event("web", "text " + i));
            turn();
        }
        assertThat(reportDispatcher.pendingCount()).isEqualTo(MOST_WAITING);
        assertThat(reportDispatcher.droppedCount()).isEqualTo(7);
        assertThat(dropped)
                .extracting(effect -> ((Effect.RecordEvent) effect).note())
                .containsExactly("text 0", "text 1", "text 2", "text 3", "text 4", "text 5", "text 6");
        api.answerReports(new WriteResponse.Succeeded());
        advance(Duration.ofSeconds(30));
        assertThat(api.events)
                .containsExactly(
                        "FailedScheduling text 7",
                        "FailedScheduling text 8",
                        "FailedScheduling text 9",
                        "FailedScheduling text 10",
                        "FailedScheduling text 11");
    }

    @Test
    void noEventIsDroppedWhileTheServerIsDownForMinutes() {
        api.answerReports(REFUSED);
        reportDispatcher.add(event("web", "text"));
        advance(Duration.ofMinutes(5));
        assertThat(api.reportCalls).as("it is left alone meanwhile").isLessThan(60);
        api.answerReports(new WriteResponse.Succeeded());
        advance(Duration.ofSeconds(10));
        assertThat(api.events).containsExactly("FailedScheduling text");
        assertThat(reportDispatcher.droppedCount()).isZero();
    }

    @Test
    void anEventThatKeepsFailingOrIsDeniedIsDropped() {
        api.answerReports(new WriteResponse.Unknown("500"));
        reportDispatcher.add(event("web", "text"));
        advance(Duration.ofMinutes(2));
        assertThat(dropped).containsExactly(event("web", "text"));
        api.answerReports(new WriteResponse.Denied("no right to"));
        reportDispatcher.add(event("web", "text"));
        turn();
        assertThat(dropped).hasSize(2);
        assertThat(reportDispatcher.droppedCount()).isEqualTo(2);
        assertThat(reportDispatcher.pendingCount()).isZero();
    }

    @Test
    void aConditionIsRetriedUntilTheServerRecovers() {
        api.answerReports(new WriteResponse.Unknown("500"));
        reportDispatcher.add(mark("web", "text"));
        advance(Duration.ofMinutes(3));
        api.answerReports(new WriteResponse.Succeeded());
        advance(Duration.ofSeconds(10));
        assertThat(api.conditions).containsExactly("default/web Unschedulable: text");
        assertThat(reportDispatcher.droppedCount()).isZero();
    }

    @Test
    void aConditionThatIsDeniedIsSentLessAndLessOftenAndWrittenWhenTheDenialEnds() {
        api.answerReports(new WriteResponse.Denied("no right to"));
        reportDispatcher.add(mark("web", "text"));
        turn();
        assertThat(reportDispatcher.pendingCount()).as("nothing is on its way").isZero();
        advance(Duration.ofMinutes(10));
        assertThat(api.reportCalls).isBetween(8, 11);
        api.answerReports(new WriteResponse.Succeeded());
        advance(Duration.ofMinutes(5));
        assertThat(api.conditions).containsExactly("default/web Unschedulable: text");
        assertThat(dropped).isEmpty();
        assertThat(reportDispatcher.droppedCount()).isZero();
    }

    @Test
    void ofConditionsThatWereDeniedTheNewestIsWrittenWhenTheDenialEnds() {
        api.answerReports(new WriteResponse.Denied("no right to"));
        reportDispatcher.add(mark("web", "old"));
        turn();
        reportDispatcher.add(mark("web", "new"));
        api.answerReports(new WriteResponse.Succeeded());
        advance(Duration.ofSeconds(1));
        assertThat(api.conditions).containsExactly("default/web Unschedulable: new");
    }

    @Test
    void aConditionThatWasDeniedAndIsNoLongerTrueIsForgotten() {
        api.answerReports(new WriteResponse.Denied("no right to"));
        reportDispatcher.add(mark("web", "text"));
        turn();
        wanted = false;
        advance(Duration.ofSeconds(2));
        assertThat(api.reportCalls).isEqualTo(1);
        assertThat(dropped).containsExactly(mark("web", "text"));
    }

    @Test
    void anOutdatedConditionIsNotSentAndNotRememberedAsReported() {
        wanted = false;
        reportDispatcher.add(mark("web", "text"));
        turn();
        assertThat(api.conditions).isEmpty();
        assertThat(dropped).containsExactly(mark("web", "text"));
        assertThat(reportDispatcher.droppedCount()).isZero();
    }

    @Test
    void droppedReportsAreLoggedAtOnceAndThenOnceAMinute() {
        UnwrittenReportLog unwrittenReportLog = new UnwrittenReportLog();
        assertThat(unwrittenReportLog.pollMessage(clock.instant())).isEmpty();
        unwrittenReportLog.add(event("web", "text"), "100 newer events wait already");
        assertThat(unwrittenReportLog.pollMessage(clock.instant()))
                .hasValue("1 conditions or events could not be written and are dropped, 1 in all; the last: "
                        + "the event \"text\" of Pod default/web (100 newer events wait already)");
        unwrittenReportLog.add(event("web", "text"), "why");
        unwrittenReportLog.add(mark("web", "text"), "no right to");
        clock.advance(Duration.ofSeconds(59));
        assertThat(unwrittenReportLog.pollMessage(clock.instant())).isEmpty();
        clock.advance(Duration.ofSeconds(1));
        assertThat(unwrittenReportLog.pollMessage(clock.instant()))
                .hasValueSatisfying(words -> assertThat(words)
                        .startsWith("2 conditions or events")
                        .contains("3 in all", "the condition PodScheduled of Pod default/web (no right to)"));
    }

    private void turn() {
        do {
            for (Runnable answer = inbox.poll(); answer != null; answer = inbox.poll()) {
                answer.run();
            }
            delayedTasks.runDue(clock.instant(), TimeBudget.UNBOUNDED);
            reportDispatcher.send();
        } while (!inbox.isEmpty());
    }

    private void advance(Duration time) {
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plusMillis(100)) {
            turn();
            clock.advance(Duration.ofMillis(100));
        }
        turn();
    }

    private static Effect.MarkUnscheduled mark(String pod, String text) {
        return new Effect.MarkUnscheduled(ref(pod), Effect.MarkUnscheduled.Reason.UNSCHEDULABLE, text);
    }

    private static Effect.RecordEvent event(String pod, String text) {
        return new Effect.RecordEvent(ref(pod), Effect.RecordEvent.EventTemplate.FAILED_SCHEDULING, text);
    }

    private static Effect.PodRef ref(String pod) {
        return Effect.PodRef.of(aPod(pod).build());
    }
}
