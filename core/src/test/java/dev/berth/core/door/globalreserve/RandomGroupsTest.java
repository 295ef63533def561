package dev.berth.core.door.globalreserve;

import static dev.berth.core.door.globalreserve.GlobalReserveScene.assignment;
import static dev.berth.core.door.globalreserve.GlobalReserveScene.groupBy;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.door.globalreserve.ReserveRequest.PodAssignment;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.invariant.Invariants;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.testing.RandomHistories;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Random groups of several schedulers, against a model that is nothing but a table of who keeps how much cpu where until
 * when. Each scheduler reserves and releases pods of the others too. At times the API server denies all writes, or answers
 * changes with conflicts that bring no new version: the room of what ended stays kept until its object says so or its time
 * is over, and once writes are taken again every StoredHold object says what is kept. In every other history turns have time for
 * one object and no more.
 */
class RandomGroupsTest {
    private static final int NODES = 3;
    private static final int PODS = 8;
    private static final int CPUS = 4;

    private static final List<String> SCHEDULERS = List.of("batch", "other", "schedulername_is_empty");

    private record ExpectedPlace(String node, int cpu, long until) {}

    /** Whose place it is: a place belongs to the scheduler that reserved it. */
    private static String key(String pod, String scheduler) {
        return pod + " by " + scheduler;
    }

    private final GlobalReserveScene berth = new GlobalReserveScene();
    private final Map<String, ExpectedPlace> expectedPlace = new TreeMap<>();
    private final Map<String, ExpectedPlace> bound = new HashMap<>();
    private long now;

    @RandomHistories(count = 10)
    void theHeldPlacesEqualThoseOfASimpleModel(long seed) {
        Random random = new Random(seed);
        if (seed % 2 == 0) {
            berth.runOneObjectPerTurn();
        }
        for (int i = 0; i < NODES; i++) {
            berth.upsert(aNode("n" + i).with(CPUS + " cpu", "3 pods").build());
        }
        for (int step = 0; step < 400; step++) {
            String what = step(random);
            assertThat(berth.heldPlaces())
                    .as("seed %d, step %d: %s", seed, step, what)
                    .containsExactlyInAnyOrderElementsOf(holds().keySet());
            if (!berth.rejectsWrites()) {
                checkObjectsEqualHolds("seed %d, step %d: %s".formatted(seed, step, what));
            }
            assertThat(Invariants.check(berth.ledger().snapshot())).isEmpty();
            for (int i = 0; i < NODES; i++) {
                assertThat(berth.free("n" + i).get(ResourceName.CPU))
                        .as("seed %d, step %d: %s", seed, step, what)
                        .isEqualTo(1000L * freeCpu("n" + i, holds()));
            }
        }
    }

    private void checkObjectsEqualHolds(String where) {
        assertThat(berth.objects.values().stream()
                        .mapToInt(object -> object.spec().places().size())
                        .sum())
                .as("%s: every place is in one object", where)
                .isEqualTo(expectedPlace.size());
    }

    private static String words(String pod, String node, String scheduler) {
        return pod + " on " + node + (scheduler.equals(GlobalReserveScene.BATCH) ? "" : " by " + scheduler);
    }

    /** What is kept on its node beside pods that are bound there. */
    private record ExpectedHold(String node, int cpu, int slots) {
        private ExpectedHold max(ExpectedHold other) {
            return new ExpectedHold(node, Math.max(cpu, other.cpu), Math.max(slots, other.slots));
        }
    }

    /** By the words for it, what is kept, and what ended and is promised by an object that could not be written since. */
    private Map<String, ExpectedHold> holds() {
        Map<String, ExpectedHold> all = new TreeMap<>();
        expectedPlace.forEach((key, place) -> {
            String[] who = key.split(" by ", 2);
            all.put(words(who[0], place.node(), who[1]), new ExpectedHold(place.node(), place.cpu(), 1));
        });
        for (StoredHoldFact.Upserted object : berth.objects.values()) {
            if (object.spec().deadline().isAfter(berth.clock.instant())) {
                for (ReservedPlace place : object.spec().places()) {
                    String node = place.node().name();
                    String pod = place.pod().name();
                    all.merge(
                            words(pod, node, object.spec().schedulerName()), held(pod, node, place), ExpectedHold::max);
                }
            }
        }
        return all;
    }

    /** A pod that is bound there uses its place. */
    private ExpectedHold held(String pod, String node, ReservedPlace place) {
        int cpu = (int) (place.size().get(ResourceName.CPU) / 1000);
        Optional<ExpectedPlace> there =
                Optional.ofNullable(bound.get(pod)).filter(it -> it.node().equals(node));
        return there.map(it -> new ExpectedHold(node, Math.max(0, cpu - it.cpu()), 0))
                .orElse(new ExpectedHold(node, cpu, 1));
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
                acceptWrites();
                berth.restart(random.nextBoolean());
            }
            case 10 -> edit(random);
            case 11 ->
                berth.rejectWrites(
                        random.nextBoolean() ? WriteResult.ResultKind.DENIED : WriteResult.ResultKind.CONFLICT);
            default -> acceptWrites();
        }
        return "step %d of %s".formatted(dice, pod);
    }

    /** Somebody edits a Hold into something malformed: Berth writes it back. */
    private void edit(Random random) {
        List<String> names = List.copyOf(berth.objects.keySet());
        if (!names.isEmpty()) {
            berth.editMalformed(names.get(random.nextInt(names.size())), "size.cpu (-1) is negative");
            berth.completeAll();
        }
    }

    private void pass(int seconds) {
        now += seconds;
        berth.clock.advance(Duration.ofSeconds(seconds));
        berth.runAfterTimePassed();
        expectedPlace.values().removeIf(place -> place.until() <= now);
    }

    /** The back-off of what was refused is a minute at most. */
    private void acceptWrites() {
        if (berth.rejectsWrites()) {
            berth.acceptWrites();
            pass(60);
            pass(0);
        }
    }

    private void unreserve(String pod, String scheduler, String node) {
        boolean foreign = keptFor(pod).isPresent() && !expectedPlace.containsKey(key(pod, scheduler));

        ReserveResponse answer = berth.unreserve(groupBy(scheduler, assignment(pod(pod, 1), node)));

        assertThat(answer.failedPods()).containsExactlyElementsOf(foreign ? List.of(pod) : List.of());
        expectedPlace.remove(key(pod, scheduler));
    }

    private Optional<ExpectedPlace> keptFor(String pod) {
        return SCHEDULERS.stream()
                .flatMap(scheduler -> Optional.ofNullable(expectedPlace.get(key(pod, scheduler))).stream())
                .findFirst();
    }

    private void bind(String pod, int node) {
        if (!bound.containsKey(pod)) {
            Optional<ExpectedPlace> place = keptFor(pod);
            int cpu = place.map(ExpectedPlace::cpu).orElse(1);
            String target = place.map(ExpectedPlace::node).orElse("n" + node);
            if (place.isPresent() || (freeCpu(target, holds()) >= 1 && freeSlots(target, holds()) >= 1)) {
                berth.upsert(aPod(pod).asking(cpu + " cpu").on(target).build());
                berth.completeAll();
                bound.put(pod, new ExpectedPlace(target, cpu, 0));
                SCHEDULERS.forEach(scheduler -> expectedPlace.remove(key(pod, scheduler)));
            }
        }
    }

    private void delete(String pod) {
        if (bound.remove(pod) != null) {
            berth.delete(pod(pod, 1));
            berth.completeAll();
        }
    }

    private String reserve(Random random) {
        List<PodAssignment> podAssignments = new ArrayList<>();
        int first = random.nextInt(PODS);
        String scheduler = scheduler(random);
        for (int i = 0; i < 1 + random.nextInt(4); i++) {
            String name = "p" + (first + i) % PODS;
            podAssignments.add(assignment(pod(name, 1 + random.nextInt(3)), "n" + random.nextInt(NODES)));
        }
        if (podAssignments.stream()
                .anyMatch(podAssignment -> bound.containsKey(podAssignment.pod().name()))) {
            return "some are bound";
        }
        List<String> failed = failed(podAssignments, scheduler);
        GlobalReserveScene.Call call =
                berth.submitReserve(groupBy(scheduler, podAssignments.toArray(new PodAssignment[0])));
        berth.completeAll();
        if (call.response().isEmpty()) {
            assertThat(failed)
                    .as("only a group that does not fit yet has to wait")
                    .isNotEmpty();
            assertThat(berth.rejectsWrites()).isTrue();
            pass(4);
        }
        ReserveResponse answer = call.response().orElseThrow();
        if (!berth.rejectsWrites()) {
            assertThat(answer.failedPods()).containsExactlyElementsOf(failed);
        }
        if (answer.succeeded()) {
            for (PodAssignment seat : podAssignments) {
                expectedPlace.put(
                        key(seat.pod().name(), scheduler), new ExpectedPlace(seat.nodeName(), cpu(seat), now + 60));
            }
        }
        return "reserve by %s %s".formatted(scheduler, podAssignments);
    }

    private static int cpu(PodAssignment podAssignment) {
        return (int) (podAssignment.pod().spec().requests().get(ResourceName.CPU) / 1000);
    }

    /** The old place stays until the new one is promised, so a pod that moves needs both for a moment. */
    private List<String> failed(List<PodAssignment> podAssignments, String scheduler) {
        List<String> failed = new ArrayList<>();
        Map<String, ExpectedHold> table = holds();
        for (PodAssignment podAssignment : podAssignments) {
            String words = words(podAssignment.pod().name(), podAssignment.nodeName(), scheduler);
            int has =
                    Optional.ofNullable(table.get(words)).map(ExpectedHold::cpu).orElse(0);
            int more = Math.max(0, cpu(podAssignment) - has);
            if (more > freeCpu(podAssignment.nodeName(), table)
                    || (has == 0 && freeSlots(podAssignment.nodeName(), table) < 1)) {
                failed.add(podAssignment.pod().name());
            } else {
                table.put(words, new ExpectedHold(podAssignment.nodeName(), has + more, 1));
            }
        }
        return failed;
    }

    private int freeCpu(String node, Map<String, ExpectedHold> table) {
        return CPUS
                - table.values().stream()
                        .filter(it -> it.node().equals(node))
                        .mapToInt(ExpectedHold::cpu)
                        .sum()
                - boundTo(node).mapToInt(ExpectedPlace::cpu).sum();
    }

    private int freeSlots(String node, Map<String, ExpectedHold> table) {
        return 3
                - table.values().stream()
                        .filter(it -> it.node().equals(node))
                        .mapToInt(ExpectedHold::slots)
                        .sum()
                - (int) boundTo(node).count();
    }

    private Stream<ExpectedPlace> boundTo(String node) {
        return bound.values().stream().filter(it -> it.node().equals(node));
    }

    private static Pod pod(String name, int cpu) {
        return aPod(name).asking(cpu + " cpu").build();
    }
}
