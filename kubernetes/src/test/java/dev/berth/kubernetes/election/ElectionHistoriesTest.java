package dev.berth.kubernetes.election;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kubernetes.election.FakeLeases.Weather;
import dev.berth.kubernetes.time.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Three candidates whose ways to the lease are cut and slow at random, and whose machines misbehave. */
class ElectionHistoriesTest {
    private static final int SEEDS = 100;
    private static final int STEPS = 400;
    private static final List<Weather> WEATHERS =
            List.of(Weather.CLEAR, Weather.CLEAR, Weather.CLEAR, Weather.CUT, Weather.DEAF, Weather.SLOW);

    /** What is done to a machine at each step. */
    private interface Mischief {
        void to(Machine machine, Random random);
    }

    @Test
    void neverAreTwoSureToLeadAtOnce() {
        assertThat(led((machine, random) -> {})).isGreaterThan(20_000);
    }

    @Test
    void norWhenTheirClocksArePutForwardAndBack() {
        assertThat(led(ElectionHistoriesTest::putClock)).isGreaterThan(15_000);
    }

    @Test
    void norWhenTheirMachinesSleep() {
        assertThat(led(ElectionHistoriesTest::sleepOrWake)).isGreaterThan(10_000);
    }

    private static void putClock(Machine machine, Random random) {
        if (random.nextInt(3) == 0) {
            machine.putClock(Duration.ofMillis(random.nextInt(-100_000, 100_000)));
        }
    }

    private static void sleepOrWake(Machine machine, Random random) {
        if (machine.asleep() && random.nextInt(4) == 0) {
            machine.wake();
        } else if (!machine.asleep() && random.nextInt(10) == 0) {
            machine.sleep();
        }
    }

    /** In how many steps somebody led. */
    private static int led(Mischief mischief) {
        int led = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            led += led(seed, mischief);
        }
        return led;
    }

    private static int led(long seed, Mischief mischief) {
        Random random = new Random(seed);
        ManualTime world = new ManualTime();
        FakeLeases server = new FakeLeases(world);
        List<Candidate> candidates = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            candidates.add(candidate("c" + i, server, world, random));
        }
        int led = 0;
        for (int step = 0; step < STEPS; step++) {
            Candidate some = candidates.get(random.nextInt(3));
            some.way.weather(WEATHERS.get(random.nextInt(WEATHERS.size())));
            mischief.to(candidates.get(random.nextInt(3)).machine, random);
            atMostOneLeads(candidates, seed, step);
            world.advance(Duration.ofMillis(random.nextInt(3000)));
            led += atMostOneLeads(candidates, seed, step);
            for (int i = 0; i < 3; i++) {
                if (candidates.get(i).lost()) {
                    candidates.set(i, candidate("c%d after step %d".formatted(i, step), server, world, random));
                }
            }
        }
        return led;
    }

    private static Candidate candidate(String name, FakeLeases server, ManualTime world, Random random) {
        Candidate candidate = new Candidate(name, server, world);
        candidate.machine.putClock(Duration.ofSeconds(random.nextInt(-100, 100)));
        candidate.start();
        return candidate;
    }

    private static int atMostOneLeads(List<Candidate> candidates, long seed, int step) {
        long sure = candidates.stream().filter(Candidate::leads).count();
        assertThat(sure).as(() -> "seed %d, step %d".formatted(seed, step)).isLessThanOrEqualTo(1);
        return (int) sure;
    }
}
