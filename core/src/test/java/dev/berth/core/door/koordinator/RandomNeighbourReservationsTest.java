package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.ReservationConstraints;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.HoldId;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.Placement;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.reference.ReferencePlacer;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.testing.NodeBuilder;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.RandomHistories;
import dev.berth.core.testing.SchedulerScene.ServerMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;

/**
 * Reservations and pods of groups whose members keep apart, with order labels and exact matches, while nodes are cordoned,
 * writes are lost and Berth is killed. No two members of a group are in one domain, and no node is promised twice. Once churn
 * stops, what waits fits nowhere, and the next pod goes where the slow placer puts it.
 */
class RandomNeighbourReservationsTest {
    private static final int STEPS = 100;
    private static final Duration A_BACK_OFF = Duration.ofSeconds(15);
    /** Longer than the wait for the answer to a write. */
    private static final Duration LONGER_THAN_ANY_TIMEOUT = Duration.ofMinutes(6);

    private static final String ORDER = "scheduling.koordinator.sh/reservation-order";
    private static final List<String> NODES = List.of("n1", "n2", "n3", "n4", "n5");
    private static final List<ServerMode> MODES = List.of(
            ServerMode.ACCEPTING,
            ServerMode.ACCEPTING,
            ServerMode.SILENT,
            ServerMode.CONFLICTING,
            ServerMode.WATCH_STALLED);

    private final KoordinatorScene scene = new KoordinatorScene();
    private final ShownUse use = new ShownUse(scene);
    private final Set<String> cordoned = new HashSet<>();
    /** The Reservations that pods of other groups used: in the meantime members of their group could come. */
    private final Set<String> usedByOthers = new HashSet<>();

    private int names;

    @RandomHistories(count = 25)
    void membersKeepApartAndEachDecisionIsThatOfTheSlowPlacer(long seed) {
        run(seed);
    }

    @Tag("long")
    @RandomHistories(count = 1_000, fresh = true)
    void membersKeepApartForAHundredThousandSteps(long seed) {
        run(seed);
    }

    private void run(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        NODES.forEach(name -> scene.upsert(node(name)));
        for (int step = 0; step < STEPS; step++) {
            act(random);
            String where = "seed %d, step %d".formatted(seed, step);
            checkNothingIsPromisedTwice(where);
            checkMembersAreApart(where);
            if (step % 10 == 9) {
                calm();
                checkNothingIsPromisedTwice(where);
                checkMembersAreApart(where);
                checkWhatWaitsFitsNowhere(where);
                checkNextDecision(where, random);
            }
        }
    }

    private void act(SplittableRandom random) {
        switch (random.nextInt(20)) {
            case 0, 1, 2, 3 -> scene.createReservation(reservation(random));
            case 4, 5, 6, 7 -> scene.upsert(pod(random));
            case 8, 9, 10 -> one(scene.pods(), random).forEach(pod -> scene.deletePod(pod.name()));
            case 11 -> one(scene.reservations(), random).forEach(it -> scene.deleteReservation(it.name()));
            case 12, 13 -> toggleCordon(random);
            case 14 -> scene.restart();
            case 15 -> scene.restartForTurns(1 + random.nextInt(3));
            case 16 -> scene.setServerMode(MODES.get(random.nextInt(MODES.size())));
            case 17 -> scene.delayAnswers(random.nextBoolean());
            default -> scene.advance(Duration.ofSeconds(random.nextInt(40)));
        }
    }

    private NodeBuilder node(String name) {
        NodeBuilder node = aNode(name).with("6 cpu", "20 pods").inZone(NODES.indexOf(name) < 3 ? "a" : "b");
        return cordoned.contains(name) ? node.unschedulable() : node;
    }

    private void toggleCordon(SplittableRandom random) {
        String name = NODES.get(random.nextInt(NODES.size()));
        if (!cordoned.remove(name)) {
            cordoned.add(name);
        }
        scene.upsert(node(name));
    }

    private ReservationBuilder reservation(SplittableRandom random) {
        ReservationBuilder reservation = aReservation(name("r"))
                .requesting(1 + random.nextInt(3) + " cpu")
                .createdAt(scene.clock.instant())
                .until(scene.clock.instant().plusSeconds(60 + random.nextInt(1200)));
        AntiAffinityGroups.any(random)
                .ifPresent(group -> reservation
                        .withTemplateLabel("group", group)
                        .withTemplate(spec -> AntiAffinityGroups.apart(spec, group)));
        if (random.nextBoolean()) {
            reservation.shared();
        }
        if (random.nextInt(3) == 0) {
            reservation.restricted();
        }
        if (random.nextInt(3) == 0) {
            reservation.labelled(ORDER, "" + random.nextInt(3));
        }
        return reservation;
    }

    /** An owner or another pod. The owners of some Reservations are in other groups than the Reservation. */
    private PodBuilder pod(SplittableRandom random) {
        PodBuilder pod = aPod(name("p")).asking(1 + random.nextInt(3) + " cpu");
        AntiAffinityGroups.any(random)
                .ifPresent(
                        group -> pod.labelled("group", group).withSpec(spec -> AntiAffinityGroups.apart(spec, group)));
        if (random.nextInt(3) > 0) {
            pod.labelled("app", "web");
        }
        if (random.nextInt(4) == 0) {
            pod.withSpec(spec -> spec.reservations(
                    new ReservationConstraints(Optional.empty(), List.of(ResourceName.CPU), Optional.empty())));
        }
        return pod;
    }

    private String name(String kind) {
        names++;
        return "%s%03d".formatted(kind, names);
    }

    private static <T> List<T> one(List<T> all, SplittableRandom random) {
        return all.isEmpty() ? List.of() : List.of(all.get(random.nextInt(all.size())));
    }

    private void calm() {
        scene.delayAnswers(false).setServerMode(ServerMode.ACCEPTING);
        // A Reservation is shown after its write was tried again, and only then its owners are tried again.
        scene.advance(LONGER_THAN_ANY_TIMEOUT)
                .advance(LONGER_THAN_ANY_TIMEOUT)
                .advance(A_BACK_OFF)
                .advance(A_BACK_OFF)
                .advance(A_BACK_OFF)
                .repeatWhileBackingOff(() -> scene.advance(A_BACK_OFF));
    }

    private void checkNothingIsPromisedTwice(String where) {
        for (String node : NODES) {
            assertThat(scene.cpuFree(node))
                    .as("%s: free cpu of %s", where, node)
                    .isNotNegative();
        }
    }

    /**
     * By what the API server shows: pods are apart from pods, and Reservations in whose place no pod is are apart from each
     * other and from the pods that may not use them.
     */
    private void checkMembersAreApart(String where) {
        List<Member> pods = new ArrayList<>();
        List<Member> holders = new ArrayList<>();
        for (Pod pod : scene.pods()) {
            pod.nodeName()
                    .flatMap(node -> member(pod.labels(), node, pod.name()))
                    .ifPresent(member -> {
                        pods.add(member);
                        if (!pod.labels().has("app", "web")) {
                            holders.add(member);
                        }
                    });
        }
        for (Reservation reservation : scene.reservations()) {
            Labels labels = reservation.spec().orElseThrow().template().labels();
            List<Pod> users = use.users(reservation);
            if (users.stream().anyMatch(user -> !user.labels().get("group").equals(labels.get("group")))) {
                usedByOthers.add(reservation.name());
            }
            ReservationStatus status = reservation.status();
            if (status.isAvailable() && users.isEmpty() && !usedByOthers.contains(reservation.name())) {
                member(labels, status.nodeName(), reservation.name()).ifPresent(holders::add);
            }
        }
        checkApart(where, pods);
        checkApart(where, holders);
    }

    /** What is in a group, and in which domain. */
    private record Member(String domain, String name) {}

    private Optional<Member> member(Labels labels, String node, String name) {
        return labels.get("group")
                .map(group -> new Member(
                        "%s %s"
                                .formatted(
                                        group,
                                        scene.node(node)
                                                .labels()
                                                .get(AntiAffinityGroups.topologyKey(group))
                                                .orElseThrow()),
                        name));
    }

    private static void checkApart(String where, List<Member> members) {
        Map<String, List<String>> byDomain = new TreeMap<>();
        members.forEach(member -> byDomain.computeIfAbsent(member.domain(), key -> new ArrayList<>())
                .add(member.name()));
        byDomain.values().removeIf(names -> names.size() < 2);
        assertThat(byDomain).as("%s: members of one group in one domain", where).isEmpty();
    }

    private void checkWhatWaitsFitsNowhere(String where) {
        ReferencePlacer placer = new ReferencePlacer(scene.ledger(), ScoreWeights.DEFAULT);
        for (Pod pod : scene.pods()) {
            if (pod.nodeName().isEmpty()) {
                assertThat(placer.place(pod, HoldUse.PREFERRED))
                        .as("%s: where %s fits, which waits", where, pod.name())
                        .isInstanceOf(Placement.Refused.class);
            }
        }
        for (Reservation reservation : scene.reservations()) {
            if (reservation.pending()) {
                Pod request = reservation.reservePod(reservation.spec().orElseThrow());
                assertThat(placer.place(request, HoldUse.NONE))
                        .as("%s: where %s fits, which waits", where, reservation)
                        .isInstanceOf(Placement.Refused.class);
            }
        }
    }

    private void checkNextDecision(String where, SplittableRandom random) {
        PodBuilder next = pod(random);
        Pod pod = next.build();
        Placement expected = new ReferencePlacer(scene.ledger(), ScoreWeights.DEFAULT).place(pod, HoldUse.PREFERRED);
        scene.upsert(next);
        Pod decided = scene.pod(pod.name());
        assertThat(decided.nodeName())
                .as("%s: node of %s", where, pod.name())
                .isEqualTo(
                        expected instanceof Placement.Placed placed
                                ? Optional.of(placed.nodeName())
                                : Optional.empty());
        assertThat(decided.annotations().get(Claim.ANNOTATION))
                .as("%s: hold of %s", where, pod.name())
                .isEqualTo(
                        expected instanceof Placement.Placed placed
                                ? placed.hold().map(HoldId::value)
                                : Optional.empty());
    }
}
