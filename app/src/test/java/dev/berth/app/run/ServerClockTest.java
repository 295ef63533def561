package dev.berth.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.testing.RandomSeeds;
import dev.berth.kubernetes.time.ServerTimeEstimate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ServerClockTest {
    private static final long SEED = 99;
    private static final int HISTORIES = 500;
    private static final long SECOND = 1_000_000_000L;
    private static final Instant START = Instant.parse("2026-03-01T12:00:00.123Z");
    /** A Date header has whole seconds, so that one answer alone leaves half of one open, and a slow one more. */
    private static final Duration BOUND = Duration.ofSeconds(2);

    /** A machine whose clock is wrong and runs wrong, and an API server far away. */
    private static final class ClockSimulation {
        private final Random random;
        private final double machineRate;
        private long skewNanos;
        /** Nanoseconds since the beginning by the API server. */
        private long now;

        private final ServerClock clock;

        private ClockSimulation(long seed) {
            random = new Random(seed);
            skewNanos = (random.nextLong(1_200) - 600) * SECOND;
            machineRate = 1 + (random.nextDouble() - 0.5) * 4e-4;
            clock = new ServerClock(this::machine, this::tick);
        }

        private long tick() {
            return (long) (now * machineRate) + 77 * SECOND;
        }

        private Instant machine() {
            return START.plusNanos((long) (now * machineRate) + skewNanos);
        }

        private Instant server() {
            return START.plusNanos(now);
        }

        /** Sends a request, waits for the response, and gets the server's time at some moment in between. */
        private void ask() {
            long asked = tick();
            now += pause();
            Instant date = Instant.ofEpochSecond(server().getEpochSecond());
            now += pause();
            clock.onResponse(asked, tick(), random.nextInt(40) == 0 ? date.plusSeconds(3_600) : date);
        }

        private long pause() {
            return random.nextInt(20) == 0 ? 2 * SECOND : random.nextLong(SECOND / 4);
        }
    }

    @Test
    void aDeadlineIsReachedWhenTheApiServersClockReachesItIndependentOfTheMachinesClock() {
        RandomSeeds.forEach(SEED, HISTORIES, ServerClockTest::history);
    }

    private static void history(long seed) {
        ClockSimulation clockSimulation = new ClockSimulation(seed);
        clockSimulation.clock.onResponse(
                clockSimulation.tick(),
                clockSimulation.tick(),
                Instant.ofEpochSecond(clockSimulation.server().getEpochSecond()));
        for (int place = 0; place < 5; place++) {
            Instant deadline = clockSimulation.server().plusSeconds(60);
            Instant last = Instant.MIN;
            Instant before = clockSimulation.server();
            while (last.isBefore(deadline)) {
                before = clockSimulation.server();
                if (clockSimulation.random.nextInt(4) == 0) {
                    clockSimulation.ask();
                }
                if (clockSimulation.random.nextInt(300) == 0) {
                    // The machine's clock is set.
                    clockSimulation.skewNanos += (clockSimulation.random.nextLong(7_200) - 3_600) * SECOND;
                }
                clockSimulation.now += clockSimulation.random.nextLong(SECOND / 2);
                Instant shown = clockSimulation.clock.instant();
                assertThat(shown).as("seed %d: it never goes back", seed).isAfterOrEqualTo(last);
                last = shown;
            }
            // The end shows when the clock is next read: somewhere between the last two readings.
            assertThat(clockSimulation.server())
                    .as("seed %d, place %d: not earlier", seed, place)
                    .isAfter(deadline.minus(BOUND));
            assertThat(before).as("seed %d, place %d: not later", seed, place).isBefore(deadline.plus(BOUND));
        }
    }

    @Test
    void aSkewOfMoreThanTwoSecondsIsReportedAndTakenBackWhenTheClockIsSet() {
        ClockSimulation clockSimulation = new ClockSimulation(1);
        clockSimulation.skewNanos = 60 * SECOND;
        assertThat(clockSimulation.clock.warning()).isEmpty();
        assertThat(clockSimulation.clock.instant()).isEqualTo(clockSimulation.machine());
        for (int i = 0; i < 20; i++) {
            clockSimulation.ask();
        }
        assertThat(clockSimulation.clock.warning().orElse(""))
                .matches(
                        "the clock of this machine is (59|60)\\.\\d s ahead of that of the API server. Berth uses the clock of the API server");
        clockSimulation.skewNanos = 0;
        assertThat(clockSimulation.clock.warning()).isEmpty();
        assertThat(clockSimulation.clock.skew().orElseThrow().abs()).isLessThan(BOUND);
    }

    @Test
    void fastAnswersAfterASlowOneAreNotAStepBack() {
        ServerTimeEstimate server = new ServerTimeEstimate();
        Instant date = START.truncatedTo(ChronoUnit.SECONDS);
        // It took four seconds, and the server wrote it at the end of them.
        server.onResponse(0, 4 * SECOND, date.plusSeconds(4));
        Instant first = server.at(4 * SECOND).orElseThrow();
        for (int second = 5; second < 20; second++) {
            assertThat(server.onResponse(second * SECOND, second * SECOND, date.plusSeconds(second)))
                    .as("how far the server's clock was set")
                    .isZero();
        }
        assertThat(server.at(4 * SECOND).orElseThrow())
                .as("the estimate became better")
                .isBefore(first.minusSeconds(1));
    }

    @Test
    void aSlowAnswerIsNotReportedAsSkew() {
        ClockSimulation clockSimulation = new ClockSimulation(3);
        clockSimulation.skewNanos = 0;
        long asked = clockSimulation.tick();
        clockSimulation.now += 5 * SECOND;
        clockSimulation.clock.onResponse(
                asked, clockSimulation.tick(), clockSimulation.server().truncatedTo(ChronoUnit.SECONDS));
        assertThat(clockSimulation.clock.warning()).isEmpty();
    }

    @Test
    void aServerClockSetBackIsDetectedFromItsAnswers() {
        ServerTimeEstimate server = new ServerTimeEstimate();
        Instant date = START.truncatedTo(ChronoUnit.SECONDS);
        server.onResponse(0, 0, date);
        List<Duration> set = new ArrayList<>();
        for (int second = 1; second < 6; second++) {
            set.add(server.onResponse(second * SECOND, second * SECOND, date.plusSeconds(second - 60)));
        }
        assertThat(set)
                .filteredOn(it -> !it.isZero())
                .singleElement()
                .satisfies(back -> assertThat(back).isBetween(Duration.ofSeconds(-60), Duration.ofSeconds(-58)));
    }

    @Test
    void aServerClockStepIsFollowedOnceSeveralAnswersAgree() {
        ClockSimulation clockSimulation = new ClockSimulation(2);
        long tick = clockSimulation.tick();
        Instant date = Instant.ofEpochSecond(clockSimulation.server().getEpochSecond());
        clockSimulation.clock.onResponse(tick, tick, date);
        clockSimulation.clock.onResponse(tick, tick, date.plusSeconds(600));
        assertThat(Duration.between(date, clockSimulation.clock.instant())).isLessThan(BOUND);
        for (int second = 0; second < 4; second++) {
            clockSimulation.now += SECOND;
            clockSimulation.clock.onResponse(
                    clockSimulation.tick(), clockSimulation.tick(), date.plusSeconds(601 + second));
        }
        assertThat(Duration.between(date, clockSimulation.clock.instant())).isGreaterThan(Duration.ofMinutes(10));
    }
}
