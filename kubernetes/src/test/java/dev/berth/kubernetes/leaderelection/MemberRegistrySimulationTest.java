package dev.berth.kubernetes.leaderelection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.testing.RandomSeeds;
import dev.berth.kubernetes.leaderelection.FakeLeaseServer.NetworkCondition;
import dev.berth.kubernetes.time.ManualTimer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Berths with different names and profiles that join, contradict, pause, stop and die. The way to the API server is cut or
 * slow at times.
 */
class MemberRegistrySimulationTest {
    private static final int SEEDS = 100;
    private static final int STEPS = 150;
    private static final List<String> CONTENTS =
            List.of("a=usual", "a=packing", "b=usual", "c=usual", "c=usual", "d=usual+http", "e=usual+http");

    /** The lease of a leader that died, the timeout of its writes, what a better candidate may take, and some looks. */
    private static final Duration LEADS_WITHIN = Duration.ofSeconds(15 + 5 + 6 + 9);

    /** While the lead goes from one Berth to another that listens for HTTP callers. */
    private static final Duration HANDOVER = Duration.ofSeconds(10);

    /** A member's whole Lease, the break after which a Berth no longer believes its eyes, and some looks. */
    private static final Duration FORGOTTEN_AFTER = Duration.ofSeconds(60 + 20 + 10);

    private static final Duration SECOND = Duration.ofSeconds(1);

    /** An expired lease of the leader, its writes' timeouts, a member's whole Lease and some looks. */
    private static final Duration SETTLED = Duration.ofSeconds(150);

    private static final List<NetworkCondition> WEATHERS =
            List.of(NetworkCondition.HEALTHY, NetworkCondition.CUT, NetworkCondition.SLOW);

    private final List<SimulatedMember> berths = new ArrayList<>();
    private final Map<SimulatedMember, SimulatedMember.StopResult> stopped = new LinkedHashMap<>();
    private final Map<String, Instant> lastAlive = new HashMap<>();
    private int starts;

    @Test
    void atMostOneMemberLeadsAndItServesTheSchedulerNamesOfAllLiveMembers() {
        AtomicInteger served = new AtomicInteger();
        RandomSeeds.forEach(1, SEEDS, seed -> served.addAndGet(simulate(seed)));
        RandomSeeds.checkOverAll(() -> assertThat(served.get())
                .as("names of others that leaders served")
                .isGreaterThan(SEEDS));
    }

    private int simulate(long seed) {
        Random random = new Random(seed);
        ManualTimer world = new ManualTimer();
        FakeMemberServer server = new FakeMemberServer(world);
        FakeLeaseServer leases = new FakeLeaseServer(world);
        berths.clear();
        stopped.clear();
        lastAlive.clear();
        int served = 0;
        for (int step = 0; step < STEPS; step++) {
            disturb(random, server, leases, world);
            world.advance(Duration.ofMillis(random.nextInt(8000)));
            atMostOneLeads(seed, step);
            noLeaderServesAContradiction(seed, step);
            noStoppedBerthHoldsALease(seed, step, server, leases);
            noLeaderServesTheNameOfADeadBerth(seed, step, world);
            if (step % 30 == 29) {
                restoreNetwork();
                aLiveBerthLeadsSoonAndStays(seed, step, world);
                served += everyLiveNameIsServed(seed, step, server);
            }
        }
        return served;
    }

    private void disturb(Random random, FakeMemberServer server, FakeLeaseServer leases, ManualTimer world) {
        berths.removeIf(berth -> berth.over);
        berths.forEach(berth -> lastAlive.put(berth.content, world.instant()));
        if (berths.size() < 3 && random.nextInt(3) == 0) {
            String configuration = CONTENTS.get(random.nextInt(CONTENTS.size()));
            berths.add(
                    new SimulatedMember("berth%d".formatted(++starts), configuration, server, leases, world).start());
            lastAlive.put(configuration, world.instant());
        }
        if (berths.isEmpty()) {
            return;
        }
        SimulatedMember some = berths.get(random.nextInt(berths.size()));
        switch (random.nextInt(10)) {
            case 0 -> some.kill();
            case 1 -> stop(some);
            case 2 -> {
                cut(some, random.nextBoolean(), world);
                some.connection.setSlow(random.nextBoolean());
            }
            case 3 -> some.leaseWay.setNetworkCondition(WEATHERS.get(random.nextInt(WEATHERS.size())));
            case 4 -> pause(some, world);
            case 5 -> restart(some, server, leases, world);
            default -> {}
        }
    }

    private void stop(SimulatedMember some) {
        SimulatedMember.StopResult stopResult = some.stopResult();
        if (some.reachesTheServer()) {
            stopped.put(some, stopResult);
        }
    }

    private static void cut(SimulatedMember some, boolean value, ManualTimer world) {
        some.disturbed = world.instant();
        some.connection.setCut(value);
    }

    /** As a kubelet does with a container that crashes. */
    private void restart(SimulatedMember some, FakeMemberServer server, FakeLeaseServer leases, ManualTimer world) {
        some.kill();
        berths.remove(some);
        berths.add(new SimulatedMember("berth%d".formatted(++starts), some.content, server, leases, world).start());
    }

    private static void pause(SimulatedMember some, ManualTimer world) {
        some.disturbed = world.instant();
        if (some.machine.isAsleep()) {
            some.machine.wake();
        } else {
            some.machine.sleep();
        }
    }

    private void restoreNetwork() {
        berths.removeIf(berth -> berth.over);
        for (SimulatedMember berth : berths) {
            berth.connection.setCut(false);
            berth.connection.setSlow(false);
            berth.leaseWay.setNetworkCondition(NetworkCondition.HEALTHY);
            if (berth.machine.isAsleep()) {
                berth.machine.wake();
            }
        }
    }

    private void atMostOneLeads(long seed, int step) {
        assertThat(berths.stream().filter(SimulatedMember::leads).count())
                .as("seed %d, step %d", seed, step)
                .isLessThanOrEqualTo(1);
    }

    private void noLeaderServesAContradiction(long seed, int step) {
        for (SimulatedMember berth : berths) {
            assertThat(berth.serves())
                    .as("seed %d, step %d", seed, step)
                    .noneMatch(
                            one -> berth.serves().stream().anyMatch(other -> SimulatedMember.inConflict(one, other)));
        }
    }

    private void noStoppedBerthHoldsALease(long seed, int step, FakeMemberServer server, FakeLeaseServer leases) {
        stopped.forEach((berth, stopResult) -> {
            if (isDone(stopResult.lease())) {
                assertThat(leases.named("berth").lease().map(Lease::holderIdentity))
                        .as("seed %d, step %d: holder that the next leader waits for", seed, step)
                        .isNotEqualTo(Optional.of(berth.identity));
            }
            if (isDone(stopResult.member())) {
                assertThat(server.leases())
                        .as("seed %d, step %d: members that seem to run", seed, step)
                        .extracting(Lease::holderIdentity)
                        .doesNotContain(berth.identity);
            }
        });
    }

    private static boolean isDone(CompletionStage<Void> stage) {
        return stage.toCompletableFuture().isDone();
    }

    /** One that cannot list, or could not until just now, goes by what it saw last. */
    private void noLeaderServesTheNameOfADeadBerth(long seed, int step, ManualTimer world) {
        for (SimulatedMember berth : berths) {
            boolean sees = !berth.connection.isCut() && world.instant().isAfter(berth.disturbed.plus(HANDOVER));
            if (berth.leads() && sees) {
                assertThat(berth.serves())
                        .as("seed %d, step %d: pods of dead Berths are placed by %s", seed, step, berth.content)
                        .noneMatch(name -> lastAlive
                                .getOrDefault(name, Instant.MIN)
                                .plus(FORGOTTEN_AFTER)
                                .isBefore(world.instant()));
            }
        }
    }

    private void aLiveBerthLeadsSoonAndStays(long seed, int step, ManualTimer world) {
        List<SimulatedMember> joined =
                berths.stream().filter(SimulatedMember::joined).toList();
        Duration leaderless = Duration.ZERO;
        for (Duration passed = Duration.ZERO; passed.compareTo(SETTLED) < 0; passed = passed.plus(SECOND)) {
            world.advance(SECOND);
            boolean led = berths.stream().anyMatch(SimulatedMember::leads);
            leaderless = led ? Duration.ZERO : leaderless.plus(SECOND);
            // At first a Berth may lead that could not renew its Lease for a while, and lose it.
            boolean early = passed.minus(leaderless).compareTo(LEADS_WITHIN) < 0;
            if (joined.stream().anyMatch(berth -> !berth.over)) {
                assertThat(leaderless)
                        .as("seed %d, step %d: pods wait, no Berth leads: %s", seed, step, joined.get(0).diary)
                        .isLessThanOrEqualTo(early ? LEADS_WITHIN : HANDOVER);
            }
        }
    }

    /** How many names of others. */
    private int everyLiveNameIsServed(long seed, int step, FakeMemberServer server) {
        berths.removeIf(berth -> berth.over);
        if (berths.isEmpty()) {
            return 0;
        }
        List<SimulatedMember> leaders =
                berths.stream().filter(SimulatedMember::leads).toList();
        assertThat(leaders)
                .as("seed %d, step %d: %s", seed, step, berths.get(0).diary)
                .hasSize(1);
        List<String> contents = berths.stream().map(berth -> berth.content).toList();
        assertThat(leaders.get(0).serves())
                .as("seed %d, step %d", seed, step)
                .containsExactlyInAnyOrderElementsOf(
                        contents.stream().distinct().toList());
        assertThat(server.leases())
                .as("seed %d, step %d: Leases of the dead are removed", seed, step)
                .hasSameSizeAs(berths);
        return leaders.get(0).serves().size() - 1;
    }
}
