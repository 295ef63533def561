package dev.berth.engine;

import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Pace;
import dev.berth.core.testing.ManualClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ReportsTest {
    private static final Answer BUSY = new Answer.Throttled(Duration.ofSeconds(1), "too many requests");
    private static final Answer REFUSED = new Answer.Throttled(Duration.ofMillis(500), "connection refused");
    private static final int IN_FLIGHT = 2;
    private static final int MOST_WAITING = 5;

    private final ManualClock clock = new ManualClock();
    private final Deadlines deadlines = new Deadlines();
    private final Queue<Runnable> inbox = new ArrayDeque<>();
    private final FakeApiServer api = new FakeApiServer();
    private final List<Effect> untold = new ArrayList<>();
    private boolean wanted = true;
    private final Reports reports = new Reports(
            api,
            inbox::add,
            deadlines,
            clock,
            new Reports.Audience() {
                @Override
                public boolean wants(Effect effect) {
                    return wanted;
                }

                @Override
                public void untold(Effect effect) {
                    untold.add(effect);
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
    void ofAPodsConditionsTheNewestAloneWaits() {
        api.answerReports(REFUSED);
        for (int i = 0; i < 1_000; i++) {
            reports.add(mark("web", "text " + i));
            turn();
        }
        assertThat(reports.open())
                .as("one on its way or put off, and the newest")
                .isLessThanOrEqualTo(2);
        api.answerReports(new Answer.Done());
        pass(Duration.ofSeconds(30));
        assertThat(api.conditions).containsExactly("default/web Unschedulable: text 999");
        assertThat(reports.open()).isZero();
        assertThat(untold).isEmpty();
    }

    @Test
    void aConditionTheServerWasTooBusyForIsNotWrittenOverANewerOne() {
        api.answerNextReport(BUSY);
        reports.add(mark("web", "old"));
        turn();
        reports.add(mark("web", "new"));
        pass(Duration.ofSeconds(5));
        assertThat(api.conditions).containsExactly("default/web Unschedulable: new");
    }

    @Test
    void twoConditionsOfAPodAreNeverOnTheirWayAtOnce() {
        CompletableFuture<Answer> open = api.holdNextReport();
        reports.add(mark("web", "old"));
        turn();
        reports.add(mark("web", "new"));
        reports.add(mark("other", "else"));
        turn();
        assertThat(api.conditions).containsExactly("default/other Unschedulable: else");
        open.complete(new Answer.Done());
        turn();
        assertThat(api.conditions)
                .containsExactly("default/other Unschedulable: else", "default/web Unschedulable: new");
    }

    @Test
    void aConditionThatMetAnotherWriteIsWrittenAgain() {
        api.answerNextReport(new Answer.Conflict("the object has been modified"));
        reports.add(mark("web", "text"));
        pass(Duration.ofSeconds(1));
        assertThat(api.conditions).containsExactly("default/web Unschedulable: text");
        assertThat(reports.open()).isZero();
    }

    @Test
    void ofTooManyEventsTheOldestAreLostAndThatIsCounted() {
        api.answerReports(REFUSED);
        for (int i = 0; i < 12; i++) {
            reports.add(event("web", "text " + i));
            turn();
        }
        assertThat(reports.open()).isEqualTo(MOST_WAITING);
        assertThat(reports.lost()).isEqualTo(7);
        assertThat(untold)
                .extracting(effect -> ((Effect.Announce) effect).note())
                .containsExactly("text 0", "text 1", "text 2", "text 3", "text 4", "text 5", "text 6");
        api.answerReports(new Answer.Done());
        pass(Duration.ofSeconds(30));
        assertThat(api.events)
                .containsExactly(
                        "FailedScheduling text 7",
                        "FailedScheduling text 8",
                        "FailedScheduling text 9",
                        "FailedScheduling text 10",
                        "FailedScheduling text 11");
    }

    @Test
    void aServerThatIsDownForMinutesCostsNoEvent() {
        api.answerReports(REFUSED);
        reports.add(event("web", "text"));
        pass(Duration.ofMinutes(5));
        assertThat(api.reportCalls).as("it is left alone meanwhile").isLessThan(60);
        api.answerReports(new Answer.Done());
        pass(Duration.ofSeconds(10));
        assertThat(api.events).containsExactly("FailedScheduling text");
        assertThat(reports.lost()).isZero();
    }

    @Test
    void anEventTheServerFailsOnAgainAndAgainIsGivenUpAndSoIsOneThatItDenies() {
        api.answerReports(new Answer.Unknown("500"));
        reports.add(event("web", "text"));
        pass(Duration.ofMinutes(2));
        assertThat(untold).containsExactly(event("web", "text"));
        api.answerReports(new Answer.Denied("no right to"));
        reports.add(event("web", "text"));
        turn();
        assertThat(untold).hasSize(2);
        assertThat(reports.lost()).isEqualTo(2);
        assertThat(reports.open()).isZero();
    }

    @Test
    void aConditionTheServerFailsOnAgainAndAgainIsWrittenWhenItFailsNoMore() {
        api.answerReports(new Answer.Unknown("500"));
        reports.add(mark("web", "text"));
        pass(Duration.ofMinutes(3));
        api.answerReports(new Answer.Done());
        pass(Duration.ofSeconds(10));
        assertThat(api.conditions).containsExactly("default/web Unschedulable: text");
        assertThat(reports.lost()).isZero();
    }

    @Test
    void aConditionThatIsDeniedIsSentLessAndLessOftenAndWrittenWhenTheDenialEnds() {
        api.answerReports(new Answer.Denied("no right to"));
        reports.add(mark("web", "text"));
        turn();
        assertThat(reports.open()).as("nothing is on its way").isZero();
        pass(Duration.ofMinutes(10));
        assertThat(api.reportCalls).isBetween(8, 11);
        api.answerReports(new Answer.Done());
        pass(Duration.ofMinutes(5));
        assertThat(api.conditions).containsExactly("default/web Unschedulable: text");
        assertThat(untold).isEmpty();
        assertThat(reports.lost()).isZero();
    }

    @Test
    void ofConditionsThatWereDeniedTheNewestIsWrittenWhenTheDenialEnds() {
        api.answerReports(new Answer.Denied("no right to"));
        reports.add(mark("web", "old"));
        turn();
        reports.add(mark("web", "new"));
        api.answerReports(new Answer.Done());
        pass(Duration.ofSeconds(1));
        assertThat(api.conditions).containsExactly("default/web Unschedulable: new");
    }

    @Test
    void aConditionThatWasDeniedAndIsNoLongerTrueIsForgotten() {
        api.answerReports(new Answer.Denied("no right to"));
        reports.add(mark("web", "text"));
        turn();
        wanted = false;
        pass(Duration.ofSeconds(2));
        assertThat(api.reportCalls).isEqualTo(1);
        assertThat(untold).containsExactly(mark("web", "text"));
    }

    @Test
    void whatIsNoLongerTrueIsNotToldAndNotTakenForTold() {
        wanted = false;
        reports.add(mark("web", "text"));
        turn();
        assertThat(api.conditions).isEmpty();
        assertThat(untold).containsExactly(mark("web", "text"));
        assertThat(reports.lost()).isZero();
    }

    @Test
    void lossesAreSaidAtOnceAndThenOnceAMinute() {
        Losses losses = new Losses();
        assertThat(losses.words(clock.instant())).isEmpty();
        losses.add(event("web", "text"), "100 newer events wait already");
        assertThat(losses.words(clock.instant()))
                .hasValue("1 conditions or events could not be written and are given up, 1 in all; the last: "
                        + "the event \"text\" of Pod default/web (100 newer events wait already)");
        losses.add(event("web", "text"), "why");
        losses.add(mark("web", "text"), "no right to");
        clock.advance(Duration.ofSeconds(59));
        assertThat(losses.words(clock.instant())).isEmpty();
        clock.advance(Duration.ofSeconds(1));
        assertThat(losses.words(clock.instant()))
                .hasValueSatisfying(words -> assertThat(words)
                        .startsWith("2 conditions or events")
                        .contains("3 in all", "the condition PodScheduled of Pod default/web (no right to)"));
    }

    private void turn() {
        do {
            for (Runnable answer = inbox.poll(); answer != null; answer = inbox.poll()) {
                answer.run();
            }
            deadlines.run(clock.instant(), Pace.UNBOUNDED);
            reports.send();
        } while (!inbox.isEmpty());
    }

    private void pass(Duration time) {
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plusMillis(100)) {
            turn();
            clock.advance(Duration.ofMillis(100));
        }
        turn();
    }

    private static Effect.MarkUnscheduled mark(String pod, String text) {
        return new Effect.MarkUnscheduled(ref(pod), Effect.MarkUnscheduled.Reason.UNSCHEDULABLE, text);
    }

    private static Effect.Announce event(String pod, String text) {
        return new Effect.Announce(ref(pod), Effect.Announce.Kind.FAILED_SCHEDULING, text);
    }

    private static Effect.PodRef ref(String pod) {
        return Effect.PodRef.of(aPod(pod).build());
    }
}
