package dev.berth.kubernetes.election;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kubernetes.election.FakeLeases.Weather;
import dev.berth.kubernetes.time.ManualTime;
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
import org.junit.jupiter.api.Test;

/**
 * Berths with different names and profiles that join, contradict, pause, stop and die. The way to the API server is cut or
 * slow at times.
 */
class MemberHistoriesTest {
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

    private static final List<Weather> WEATHERS = List.of(Weather.CLEAR, Weather.CUT, Weather.SLOW);

    private final List<Participant> berths = new ArrayList<>();
    private final Map<Participant, Participant.Stop> stopped = new LinkedHashMap<>();
    private final Map<String, Instant> lastAlive = new HashMap<>();
    private int starts;

    @Test
    void onlyOneLeadsAndItServesEveryNameOfALiveMember() {
        int served = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            served += history(seed);
        }
        assertThat(served).as("names of others that leaders served").isGreaterThan(SEEDS);
    }

    private int history(long seed) {
        Random random = new Random(seed);
        ManualTime world = new ManualTime();
        FakeMembers server = new FakeMembers(world);
        FakeLeases leases = new FakeLeases(world);
        berths.clear();
        stopped.clear();
        lastAlive.clear();
        int served = 0;
        for (int step = 0; step < STEPS; step++) {
            act(random, server, leases, world);
            world.advance(Duration.ofMillis(random.nextInt(8000)));
            atMostOneLeads(seed, step);
            noLeaderServesAContradiction(seed, step);
            noStoppedBerthHoldsALease(seed, step, server, leases);
            noLeaderServesTheNameOfADeadBerth(seed, step, world);
            if (step % 30 == 29) {
                calm();
                aLiveBerthLeadsSoonAndStays(seed, step, world);
                served += everyLiveNameIsServed(seed, step, server);
            }
        }
        return served;
    }

    private void act(Random random, FakeMembers server, FakeLeases leases, ManualTime world) {
        berths.removeIf(berth -> berth.over);
        berths.forEach(berth -> lastAlive.put(berth.content, world.instant()));
        if (berths.size() < 3 && random.nextInt(3) == 0) {
            String content = CONTENTS.get(random.nextInt(CONTENTS.size()));
            berths.add(new Participant("berth%d".formatted(++starts), content, server, leases, world).start());
            lastAlive.put(content, world.instant());
        }
        if (berths.isEmpty()) {
            return;
        }
        Participant some = berths.get(random.nextInt(berths.size()));
        switch (random.nextInt(10)) {
            case 0 -> some.kill();
            case 1 -> stop(some);
            case 2 -> {
                cut(some, random.nextBoolean(), world);
                some.way.slow(random.nextBoolean());
            }
            case 3 -> some.leaseWay.weather(WEATHERS.get(random.nextInt(WEATHERS.size())));
            case 4 -> pause(some, world);
            case 5 -> restart(some, server, leases, world);
            default -> {}
        }
    }

    private void stop(Participant some) {
        Participant.Stop stop = some.stop();
        if (some.reachesTheServer()) {
            stopped.put(some, stop);
        }
    }

    private static void cut(Participant some, boolean value, ManualTime world) {
        some.disturbed = world.instant();
        some.way.cut(value);
    }

    /** As a kubelet does with a container that crashes. */
    private void restart(Participant some, FakeMembers server, FakeLeases leases, ManualTime world) {
        some.kill();
        berths.remove(some);
        berths.add(new Participant("berth%d".formatted(++starts), some.content, server, leases, world).start());
    }

    private static void pause(Participant some, ManualTime world) {
        some.disturbed = world.instant();
        if (some.machine.asleep()) {
            some.machine.wake();
        } else {
            some.machine.sleep();
        }
    }

    private void calm() {
        berths.removeIf(berth -> berth.over);
        for (Participant berth : berths) {
            berth.way.cut(false);
            berth.way.slow(false);
            berth.leaseWay.weather(Weather.CLEAR);
            if (berth.machine.asleep()) {
                berth.machine.wake();
            }
        }
    }

    private void atMostOneLeads(long seed, int step) {
        assertThat(berths.stream().filter(Participant::leads).count())
                .as("seed %d, step %d", seed, step)
                .isLessThanOrEqualTo(1);
    }

    private void noLeaderServesAContradiction(long seed, int step) {
        for (Participant berth : berths) {
            assertThat(berth.serves())
                    .as("seed %d, step %d", seed, step)
                    .noneMatch(one -> berth.serves().stream().anyMatch(other -> Participant.contradict(one, other)));
        }
    }

    private void noStoppedBerthHoldsALease(long seed, int step, FakeMembers server, FakeLeases leases) {
        stopped.forEach((berth, stop) -> {
            if (isDone(stop.lease())) {
                assertThat(leases.named("berth").lease().map(Lease::holder))
                        .as("seed %d, step %d: holder that the next leader waits for", seed, step)
                        .isNotEqualTo(Optional.of(berth.identity));
            }
            if (isDone(stop.member())) {
                assertThat(server.leases())
                        .as("seed %d, step %d: members that seem to run", seed, step)
                        .extracting(Lease::holder)
                        .doesNotContain(berth.identity);
            }
        });
    }

    private static boolean isDone(CompletionStage<Void> stage) {
        return stage.toCompletableFuture().isDone();
    }

    /** One that cannot list, or could not until just now, goes by what it saw last. */
    private void noLeaderServesTheNameOfADeadBerth(long seed, int step, ManualTime world) {
        for (Participant berth : berths) {
            boolean sees = !berth.way.isCut() && world.instant().isAfter(berth.disturbed.plus(HANDOVER));
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

    private void aLiveBerthLeadsSoonAndStays(long seed, int step, ManualTime world) {
        List<Participant> joined = berths.stream().filter(Participant::joined).toList();
        Duration leaderless = Duration.ZERO;
        for (Duration passed = Duration.ZERO; passed.compareTo(SETTLED) < 0; passed = passed.plus(SECOND)) {
            world.advance(SECOND);
            boolean led = berths.stream().anyMatch(Participant::leads);
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
    private int everyLiveNameIsServed(long seed, int step, FakeMembers server) {
        berths.removeIf(berth -> berth.over);
        if (berths.isEmpty()) {
            return 0;
        }
        List<Participant> leaders = berths.stream().filter(Participant::leads).toList();
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
