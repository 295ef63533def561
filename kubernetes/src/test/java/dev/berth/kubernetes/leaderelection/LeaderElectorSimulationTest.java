package dev.berth.kubernetes.leaderelection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.testing.RandomSeeds;
import dev.berth.kubernetes.leaderelection.FakeLeaseServer.NetworkCondition;
import dev.berth.kubernetes.time.ManualTimer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Three candidates whose ways to the lease are cut and slow at random, and whose machines misbehave. */
class LeaderElectorSimulationTest {
    private static final int SEEDS = 100;
    private static final int STEPS = 400;
    private static final List<NetworkCondition> WEATHERS = List.of(
            NetworkCondition.HEALTHY,
            NetworkCondition.HEALTHY,
            NetworkCondition.HEALTHY,
            NetworkCondition.CUT,
            NetworkCondition.RESPONSES_LOST,
            NetworkCondition.SLOW);

    /** What is done to a machine at each step. */
    private interface Disturbance {
        void apply(SimulatedMachine machine, Random random);
    }

    @Test
    void twoCandidatesNeverBothBelieveThatTheyLead() {
        assertAtMostOneLeads((machine, random) -> {}, 20_000);
    }

    @Test
    void twoCandidatesNeverBothLeadWhileTheirClocksJump() {
        assertAtMostOneLeads(LeaderElectorSimulationTest::jumpClock, 15_000);
    }

    @Test
    void twoCandidatesNeverBothLeadWhileTheirMachinesSleep() {
        assertAtMostOneLeads(LeaderElectorSimulationTest::sleepOrWake, 10_000);
    }

    private static void jumpClock(SimulatedMachine machine, Random random) {
        if (random.nextInt(3) == 0) {
            machine.jumpClock(Duration.ofMillis(random.nextInt(-100_000, 100_000)));
        }
    }

    private static void sleepOrWake(SimulatedMachine machine, Random random) {
        if (machine.isAsleep() && random.nextInt(4) == 0) {
            machine.wake();
        } else if (!machine.isAsleep() && random.nextInt(10) == 0) {
            machine.sleep();
        }
    }

    /** @param least in how many steps of all histories some candidate must lead */
    private static void assertAtMostOneLeads(Disturbance disturbance, int least) {
        AtomicInteger led = new AtomicInteger();
        RandomSeeds.forEach(1, SEEDS, seed -> led.addAndGet(countStepsWithLeader(seed, disturbance)));
        RandomSeeds.checkOverAll(() -> assertThat(led.get()).isGreaterThan(least));
    }

    private static int countStepsWithLeader(long seed, Disturbance disturbance) {
        Random random = new Random(seed);
        ManualTimer world = new ManualTimer();
        FakeLeaseServer server = new FakeLeaseServer(world);
        List<SimulatedCandidate> candidates = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            candidates.add(candidate("c" + i, server, world, random));
        }
        int led = 0;
        for (int step = 0; step < STEPS; step++) {
            SimulatedCandidate some = candidates.get(random.nextInt(3));
            some.connection.setNetworkCondition(WEATHERS.get(random.nextInt(WEATHERS.size())));
            disturbance.apply(candidates.get(random.nextInt(3)).machine, random);
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

    private static SimulatedCandidate candidate(String name, FakeLeaseServer server, ManualTimer world, Random random) {
        SimulatedCandidate candidate = new SimulatedCandidate(name, server, world);
        candidate.machine.jumpClock(Duration.ofSeconds(random.nextInt(-100, 100)));
        candidate.start();
        return candidate;
    }

    private static int atMostOneLeads(List<SimulatedCandidate> candidates, long seed, int step) {
        long sure = candidates.stream().filter(SimulatedCandidate::leads).count();
        assertThat(sure).as(() -> "seed %d, step %d".formatted(seed, step)).isLessThanOrEqualTo(1);
        return (int) sure;
    }
}
