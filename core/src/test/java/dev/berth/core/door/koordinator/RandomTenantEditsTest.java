package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Owner;
import dev.berth.core.hold.ReservationRecord;
import dev.berth.core.testing.NodeBuilder;
import dev.berth.core.testing.RandomHistories;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;

/**
 * Tenants forge and remove records and change labels, authors edit owners and make shared reservations ones for once,
 * nodes are replaced while Berth is down: the users of a reservation are the pods that Berth bound with it, no node is
 * promised twice, and a reservation on a replaced node fails, or moves if reservations move.
 */
class RandomTenantEditsTest {
    private static final int STEPS = 80;
    private static final Owner NOBODY = Owner.ofLabels(LabelSelector.of(Labels.of("app", "nobody")));

    private final KoordinatorScene cluster = new KoordinatorScene();
    private final Map<String, ReservationBuilder> builders = new HashMap<>();
    private final Set<String> onReplacedNodes = new HashSet<>();
    private boolean moving;
    private int names;

    @RandomHistories(count = 20)
    void claimsAreUnchangedByWhatTenantsWrite(long seed) {
        run(seed);
    }

    @Tag("long")
    @RandomHistories(count = 1_250, fresh = true)
    void claimsAreUnchangedInAHundredThousandSteps(long seed) {
        run(seed);
    }

    private void run(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        moving = random.split().nextBoolean();
        (moving ? cluster : cluster.withoutMoving()).upsert(node("n1")).upsert(node("n2"));
        for (int step = 0; step < STEPS; step++) {
            act(random);
            check("seed %d, step %d".formatted(seed, step));
        }
    }

    private void act(SplittableRandom random) {
        switch (random.nextInt(12)) {
            case 0, 1 -> reserve(random);
            case 2, 3, 4 -> cluster.upsert(aPod(name("p")).asking(cpus(random)).labelled("app", "web"));
            case 5 -> cluster.upsert(aPod(name("p")).asking(cpus(random)));
            case 6 -> one(cluster.pods(), random).ifPresent(pod -> cluster.deletePod(pod.name()));
            case 7 -> cluster.restart();
            case 8 -> one(cluster.pods(), random).ifPresent(pod -> forge(pod, random));
            case 9 -> edit(random);
            case 10 -> cluster.advance(Duration.ofSeconds(1 + random.nextInt(30)));
            default -> replaceWhileDown(one(cluster.nodeNames(), random).orElseThrow());
        }
    }

    private void reserve(SplittableRandom random) {
        String name = name("r");
        ReservationBuilder made = aReservation(name).requesting(cpus(random));
        builders.put(name, random.nextInt(3) == 0 ? made : made.shared());
        cluster.createReservation(made);
    }

    /** The pod leaves its owners' rules, and its record says anything or nothing. */
    private void forge(Pod pod, SplittableRandom random) {
        String any = one(cluster.reservations(), random)
                .map(it -> it.holdId().value())
                .filter(it -> random.nextInt(3) > 0)
                .orElse("");
        cluster.relabel(pod.name(), "app", "other").annotate(pod.name(), Claim.ANNOTATION, any);
        one(cluster.reservations(), random)
                .map(it -> random.nextBoolean() ? ReservationRecord.valueOf(it.name(), it.uid()) : "")
                .ifPresent(it -> cluster.annotate(pod.name(), ReservationRecord.ANNOTATION, it));
    }

    private void edit(SplittableRandom random) {
        one(cluster.reservations(), random).ifPresent(it -> {
            ReservationBuilder builder = builders.getOrDefault(it.name(), aReservation(it.name()));
            cluster.edit(random.nextBoolean() ? builder.forOwner(NOBODY) : builder.allocateOnce());
        });
    }

    private void replaceWhileDown(String node) {
        cluster.clock.advance(Duration.ofSeconds(2));
        cluster.reservations().stream()
                .filter(it ->
                        it.status().isAvailable() && it.status().nodeName().equals(node))
                .forEach(it -> onReplacedNodes.add(it.name()));
        List<Pod> there = cluster.pods().stream()
                .filter(pod -> pod.nodeName().equals(Optional.of(node)))
                .toList();
        cluster.upsertUnseen(node(node).uid(name(node)).created(cluster.clock.instant()))
                .restart();
        there.forEach(pod -> cluster.deletePod(pod.name()));
    }

    private void check(String where) {
        for (String node : cluster.nodeNames()) {
            assertThat(cluster.ledger().node(node).orElseThrow().overcommitments())
                    .as("%s, node %s", where, node)
                    .isEmpty();
        }
        for (Reservation reservation : cluster.reservations()) {
            String which = "%s, %s".formatted(where, reservation);
            if (moving) {
                checkMoved(which, reservation);
            }
            if (!moving && onReplacedNodes.contains(reservation.name())) {
                assertThat(reservation.status().phase()).as(which).isEqualTo(ReservationStatus.ReservationPhase.FAILED);
            } else if (reservation.status().isAvailable()) {
                assertThat(reservation.status().currentOwners().stream().map(CurrentOwner::name))
                        .as(which)
                        .containsExactlyInAnyOrderElementsOf(cluster.podsBoundWith(reservation.holdId()));
            }
        }
    }

    /** A reservation that is ready was placed on the node that exists, not on an older node of the same name. */
    private void checkMoved(String which, Reservation reservation) {
        ReservationStatus status = reservation.status();
        if (status.isAvailable() && !cluster.conditions(reservation.name()).contains("Ready=false/NodeDeleted")) {
            assertThat(cluster.node(status.nodeName()).created())
                    .as(which)
                    .isBeforeOrEqualTo(status.scheduledAt().orElseThrow());
            assertThat(cluster.ledger().hold(reservation.holdId())).as(which).isPresent();
        }
    }

    private static NodeBuilder node(String name) {
        return aNode(name).with("8 cpu", "8 pods");
    }

    private String name(String kind) {
        names++;
        return "%s-%03d".formatted(kind, names);
    }

    private static String cpus(SplittableRandom random) {
        return (1 + random.nextInt(4)) + " cpu";
    }

    private static <T> Optional<T> one(List<T> all, SplittableRandom random) {
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
    }
}
