package dev.berth.core.door.alldoors;

import static dev.berth.core.testing.PodBuilder.aPod;

import dev.berth.core.cluster.Pod;
import dev.berth.core.door.godel.GodelAnnotations;
import dev.berth.core.door.godel.GodelReservation;
import dev.berth.core.hold.Draw;
import dev.berth.core.hold.HoldId;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * A tenant who writes Reservations of the godel door that draw on other holds: on Reservations, on places that pods left,
 * and on the tenant's own, in a circle too. The tenant edits and deletes them at any time.
 */
final class DrawWritingTenant {
    private static final String KEY = "a";
    /** Half of them on each node. */
    private static final int PLACES = 6;

    private final AllDoorsCluster cluster;
    private final Random random;
    private int written;

    DrawWritingTenant(AllDoorsCluster cluster, Random random) {
        this.cluster = cluster;
        this.random = random;
    }

    void maybeAct() {
        if (random.nextInt(2) == 0) {
            return;
        }
        int number = random.nextInt(PLACES);
        String name = nameOf(number);
        Optional<GodelReservation> there = cluster.server.findGodelReservation(name);
        if (there.isPresent() && random.nextInt(4) == 0) {
            cluster.log.add("a tenant deletes %s".formatted(name));
            cluster.server.remove(there.get());
        } else {
            write(there.orElseGet(() -> fresh(name, nodeOf(number))));
        }
    }

    private GodelReservation fresh(String name, String node) {
        return GodelReservation.builder("default", name, "%s-%d".formatted(name, written++), cluster.clock.instant())
                .key(KEY)
                .nodeName(node)
                .originalPodUid(uidOf(name))
                .ttlSeconds(Optional.of(60L))
                .build();
    }

    private void write(GodelReservation place) {
        GodelReservation edited = place.toBuilder()
                .size(Resources.of(ResourceName.CPU, 1_000L * (1 + random.nextInt(3)))
                        .plus(Resources.of(ResourceName.PODS, 1)))
                .draw(random.nextInt(5) == 0 ? Optional.empty() : draw(place))
                .build();
        cluster.log.add("a tenant writes %s".formatted(edited));
        cluster.server.putByHand(edited);
    }

    /** The pod that it names is one that the other hold may well admit: its author can write any labels. */
    private Optional<Draw> draw(GodelReservation place) {
        List<HoldId> others = random.nextInt(4) > 0 ? places(place) : reservations();
        Pod owner = aPod("any")
                .labelled("app", KEY)
                .annotated(GodelAnnotations.INDEX, KEY)
                .build();
        return others.isEmpty()
                ? Optional.empty()
                : Optional.of(Draw.forSuccessorOf(owner, others.get(random.nextInt(others.size()))));
    }

    /** Places of the same node. The ids of the tenant's own can be guessed before they are written. */
    private List<HoldId> places(GodelReservation place) {
        Set<HoldId> others = new TreeSet<>();
        for (GodelReservation other : cluster.server.godelReservations()) {
            if (other.nodeName().equals(place.nodeName())) {
                others.add(id(other.name(), other.originalPodUid()));
            }
        }
        for (int number = 0; number < PLACES; number++) {
            if (nodeOf(number).equals(place.nodeName())) {
                others.add(id(nameOf(number), uidOf(nameOf(number))));
            }
        }
        others.remove(id(place.name(), place.originalPodUid()));
        return List.copyOf(others);
    }

    private List<HoldId> reservations() {
        return cluster.server.reservations.values().stream()
                .map(it -> new HoldId("koordinator/" + it.uid()))
                .toList();
    }

    private static String nameOf(int number) {
        return "drawing-%d".formatted(number);
    }

    private static String nodeOf(int number) {
        return "n%d".formatted(1 + number % 2);
    }

    private static String uidOf(String name) {
        return "pod-of-" + name;
    }

    private static HoldId id(String name, String podUid) {
        return new HoldId("godel/default/%s/%s".formatted(name, podUid));
    }
}
