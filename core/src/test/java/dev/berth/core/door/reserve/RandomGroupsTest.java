package dev.berth.core.door.reserve;

import static dev.berth.core.door.reserve.ReserveDesk.groupBy;
import static dev.berth.core.door.reserve.ReserveDesk.seat;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.decision.Outcome;
import dev.berth.core.door.reserve.ReserveRequest.Seat;
import dev.berth.core.invariant.Invariants;
import dev.berth.core.resource.ResourceName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random groups of several schedulers, against a model that is nothing but a table of who keeps how much cpu where until
 * when. Each scheduler reserves and releases pods of the others too. At times the API server denies all writes, or answers
 * changes with conflicts that bring no new version: the room of what ended is free all the same, and once writes are taken
 * again every Hold object says what is kept. In every other history turns have time for one object and no more.
 */
class RandomGroupsTest {
    private static final int NODES = 3;
    private static final int PODS = 8;
    private static final int CPUS = 4;

    private static final List<String> SCHEDULERS = List.of("batch", "other", "schedulername_is_empty");

    private record Kept(String node, int cpu, long until) {}

    /** Whose place it is: a place belongs to the scheduler that reserved it. */
    private static String key(String pod, String scheduler) {
        return pod + " by " + scheduler;
    }

    private final ReserveDesk berth = new ReserveDesk();
    private final Map<String, Kept> kept = new TreeMap<>();
    private final Map<String, Kept> bound = new HashMap<>();
    private long now;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void whatIsKeptIsWhatTheTableSays(long seed) {
        Random random = new Random(seed);
        if (seed % 2 == 0) {
            berth.takeManyTurns();
        }
        for (int i = 0; i < NODES; i++) {
            berth.add(aNode("n" + i).with(CPUS + " cpu", "3 pods").build());
        }
        for (int step = 0; step < 400; step++) {
            String what = step(random);
            assertThat(berth.kept())
                    .as("seed %d, step %d: %s", seed, step, what)
                    .containsExactlyInAnyOrderElementsOf(kept.entrySet().stream()
                            .map(entry -> words(entry.getKey(), entry.getValue()))
                            .toList());
            if (!berth.refusesWrites()) {
                objectsSayWhatIsKept("seed %d, step %d: %s".formatted(seed, step, what));
            }
            assertThat(Invariants.check(berth.ledger().snapshot())).isEmpty();
            for (int i = 0; i < NODES; i++) {
                assertThat(berth.free("n" + i).get(ResourceName.CPU))
                        .as("seed %d, step %d: %s", seed, step, what)
                        .isEqualTo(1000L * freeCpu("n" + i, kept));
            }
        }
    }

    private void objectsSayWhatIsKept(String where) {
        assertThat(berth.objects.values().stream()
                        .mapToInt(object -> object.spec().places().size())
                        .sum())
                .as("%s: every place is in one object", where)
                .isEqualTo(kept.size());
    }

    private static String words(String key, Kept place) {
        String[] who = key.split(" by ", 2);
        return who[0] + " on " + place.node() + (who[1].equals(ReserveDesk.BATCH) ? "" : " by " + who[1]);
    }

    private static String scheduler(Random random) {
        return SCHEDULERS.get(random.nextInt(SCHEDULERS.size()));
    }

    private String step(Random random) {
        int dice = random.nextInt(13);
        if (dice < 5) {
            return reserve(random);
        }
        String pod = "p" + random.nextInt(PODS);
        switch (dice) {
            case 5 -> unreserve(pod, scheduler(random), "n" + random.nextInt(NODES));
            case 6 -> bind(pod, random.nextInt(NODES));
            case 7 -> delete(pod);
            case 8 -> pass(random.nextInt(40));
            case 9 -> {
                takeWrites();
                berth.restart(random.nextBoolean());
            }
            case 10 -> edit(random);
            case 11 -> berth.refuseWrites(random.nextBoolean() ? Outcome.Kind.DENIED : Outcome.Kind.CONFLICT);
            default -> takeWrites();
        }
        return "step %d of %s".formatted(dice, pod);
    }

    /** Somebody edits a Hold into something malformed: Berth writes it back. */
    private void edit(Random random) {
        List<String> names = List.copyOf(berth.objects.keySet());
        if (!names.isEmpty()) {
            berth.edit(names.get(random.nextInt(names.size())), "size.cpu (-1) is negative");
            berth.goOn();
        }
    }

    private void pass(int seconds) {
        now += seconds;
        berth.clock.advance(Duration.ofSeconds(seconds));
        berth.tick();
        kept.values().removeIf(place -> place.until() <= now);
    }

    /** The back-off of what was refused is a minute at most. */
    private void takeWrites() {
        if (berth.refusesWrites()) {
            berth.takeWrites();
            pass(60);
            pass(0);
        }
    }

    private void unreserve(String pod, String scheduler, String node) {
        boolean foreign = keptFor(pod).isPresent() && !kept.containsKey(key(pod, scheduler));

        ReserveAnswer answer = berth.unreserve(groupBy(scheduler, seat(pod(pod, 1), node)));

        assertThat(answer.failedPods()).containsExactlyElementsOf(foreign ? List.of(pod) : List.of());
        kept.remove(key(pod, scheduler));
    }

    private Optional<Kept> keptFor(String pod) {
        return SCHEDULERS.stream()
                .flatMap(scheduler -> Optional.ofNullable(kept.get(key(pod, scheduler))).stream())
                .findFirst();
    }

    private void bind(String pod, int node) {
        if (!bound.containsKey(pod)) {
            Optional<Kept> place = keptFor(pod);
            int cpu = place.map(Kept::cpu).orElse(1);
            String target = place.map(Kept::node).orElse("n" + node);
            if (place.isPresent() || (freeCpu(target, kept) >= 1 && freeSlots(target, kept) >= 1)) {
                berth.add(aPod(pod).asking(cpu + " cpu").on(target).build());
                berth.goOn();
                bound.put(pod, new Kept(target, cpu, 0));
                SCHEDULERS.forEach(scheduler -> kept.remove(key(pod, scheduler)));
            }
        }
    }

    private void delete(String pod) {
        if (bound.remove(pod) != null) {
            berth.remove(pod(pod, 1));
            berth.goOn();
        }
    }

    private String reserve(Random random) {
        List<Seat> seats = new ArrayList<>();
        Map<String, Kept> table = new TreeMap<>(kept);
        List<String> failed = new ArrayList<>();
        boolean alreadyBound = false;
        int first = random.nextInt(PODS);
        String scheduler = scheduler(random);
        for (int i = 0; i < 1 + random.nextInt(4); i++) {
            String name = "p" + (first + i) % PODS;
            int cpu = 1 + random.nextInt(3);
            String node = "n" + random.nextInt(NODES);
            seats.add(seat(pod(name, cpu), node));
            alreadyBound |= bound.containsKey(name);
            if (!fits(key(name, scheduler), cpu, node, table)) {
                failed.add(name);
            }
        }
        if (alreadyBound) {
            return "some are bound";
        }
        ReserveAnswer answer = berth.reserve(groupBy(scheduler, seats.toArray(new Seat[0])));
        if (!berth.refusesWrites()) {
            assertThat(answer.failedPods()).containsExactlyElementsOf(failed);
        }
        if (answer.done()) {
            assertThat(failed).isEmpty();
            for (Seat seat : seats) {
                int cpu = (int) (seat.pod().shape().requests().get(ResourceName.CPU) / 1000);
                kept.put(key(seat.pod().name(), scheduler), new Kept(seat.node(), cpu, now + 60));
            }
        }
        return "reserve by %s %s".formatted(scheduler, seats);
    }

    /** The old place stays until the new one is promised, so a pod that moves needs both for a moment. */
    private boolean fits(String name, int cpu, String node, Map<String, Kept> table) {
        int has = Optional.ofNullable(table.get(name))
                .filter(old -> old.node().equals(node))
                .map(Kept::cpu)
                .orElse(0);
        int more = Math.max(0, cpu - has);
        if (more > freeCpu(node, table) || (has == 0 && freeSlots(node, table) < 1)) {
            return false;
        }
        table.put(has > 0 ? name : "new " + name, new Kept(node, has + more, 0));
        return true;
    }

    private int freeCpu(String node, Map<String, Kept> table) {
        return CPUS - sum(node, table, true) - sum(node, bound, true);
    }

    private int freeSlots(String node, Map<String, Kept> table) {
        return 3 - sum(node, table, false) - sum(node, bound, false);
    }

    private static int sum(String node, Map<String, Kept> table, boolean cpu) {
        return table.values().stream()
                .filter(place -> place.node().equals(node))
                .mapToInt(place -> cpu ? place.cpu() : 1)
                .sum();
    }

    private static Pod pod(String name, int cpu) {
        return aPod(name).asking(cpu + " cpu").build();
    }
}
