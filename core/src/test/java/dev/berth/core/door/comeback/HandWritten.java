package dev.berth.core.door.comeback;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Reservations that tenants write, edit and delete: of any size, on any node, some with all that Berth would write. They name
 * no pod, a pod that never was, or one that runs or left. No pod has their key, so that they take nothing away but room.
 */
final class HandWritten {
    private static final String PREFIX = "tenant-";
    private static final int MOST_CPUS = 12;
    private static final int LATEST_PODS = 6;

    private final Scene scene;
    /** The UIDs of pods that run or left, as far as they were looked at, in the order in which they were bound. */
    private final Set<String> bound = new LinkedHashSet<>();

    private int count;

    HandWritten(Scene scene) {
        this.scene = scene;
    }

    /** Whether a tenant wrote the Reservation of this name. */
    static boolean isOne(String name) {
        return name.startsWith(PREFIX);
    }

    static boolean isAbout(String event) {
        return event.contains("/" + PREFIX);
    }

    void change(Random random, List<String> nodes) {
        List<String> names = names();
        if (names.isEmpty() || random.nextInt(3) == 0) {
            scene.reservation(any(PREFIX + count++, random, nodes)).settle();
            return;
        }
        String name = names.get(random.nextInt(names.size()));
        if (random.nextInt(3) == 0) {
            scene.deleteReservation(name).settle();
        } else {
            Placeholder edited = scene.reservation(name).orElseThrow().toBuilder()
                    .size(size(random))
                    .build();
            scene.reservation(edited).settle();
        }
    }

    /** One is written while no Berth leads. */
    void writeUnseen(Random random, List<String> nodes) {
        scene.reservationUnseen(any(PREFIX + count++, random, nodes));
    }

    private List<String> names() {
        return scene.reservations().stream().filter(HandWritten::isOne).toList();
    }

    private Placeholder any(String name, Random random, List<String> nodes) {
        String node = nodes.get(random.nextInt(nodes.size()));
        boolean forged = random.nextBoolean();
        return Placeholder.builder("default", name, "uid-" + name, scene.clock.instant())
                .key("tenants")
                .node(node)
                .nodeUid(forged ? node : "")
                .podUid(forged ? anyPod(name, random) : "")
                .ttl(random.nextBoolean() ? Optional.empty() : Optional.of(5L))
                .size(size(random))
                .build();
    }

    private String anyPod(String name, Random random) {
        scene.pods().stream()
                .filter(pod -> pod.nodeName().isPresent())
                .forEach(pod -> bound.add(pod.uid().value()));
        int latest = bound.size() - 1 - random.nextInt(LATEST_PODS);
        return latest < 0 || random.nextInt(3) == 0
                ? "pod-of-" + name
                : List.copyOf(bound).get(latest);
    }

    private static Resources size(Random random) {
        return Resources.of(ResourceName.CPU, 1_000L * (1 + random.nextInt(MOST_CPUS)))
                .plus(Resources.of(ResourceName.PODS, 1));
    }

    /** Berth was started again: a Reservation that keeps nothing waits, and ends in its time. */
    void noneIsDeletedBeforeItsTime(List<Placeholder> before) {
        assertThat(scene.reservations())
                .as("Reservations that tenants wrote and whose time is not over")
                .containsAll(before.stream()
                        .filter(it -> it.deadline(Scene.USUAL).isAfter(scene.clock.instant()))
                        .map(Placeholder::name)
                        .toList());
    }

    List<Placeholder> all() {
        return names().stream()
                .flatMap(name -> scene.reservation(name).stream())
                .toList();
    }

    /** The pods whose places are kept by Reservations of Berth, of which the checkpoint says so. */
    Set<PodUid> placesOfBerth() {
        Set<PodUid> pods = new HashSet<>();
        for (String name : scene.reservations()) {
            Placeholder it = scene.reservation(name).orElseThrow();
            it.pod()
                    .filter(pod -> !isOne(name) && it.occupies())
                    .filter(pod -> scene.checkpoint().pods().contains(pod) && scene.keepsPlaceOf(pod))
                    .ifPresent(pods::add);
        }
        return pods;
    }

    /** Berth was started again, after places were kept. */
    void placesAreKept(Set<PodUid> places, Predicate<PodUid> mayEnd) {
        for (PodUid left : places) {
            boolean isTaken = scene.pods().stream()
                    .map(Takers::placeOf)
                    .anyMatch(place -> place.filter(it -> it.pod().equals(left)).isPresent());
            boolean isOver = scene.reservations().stream()
                    .filter(name -> !isOne(name))
                    .flatMap(name -> scene.reservation(name).stream())
                    .noneMatch(it -> it.podUid().equals(left.value()) && it.occupies());
            assertThat(scene.keepsPlaceOf(left) || isTaken || isOver || mayEnd.test(left))
                    .as("the place that pod %s left is lost to a Reservation that a tenant wrote", left)
                    .isTrue();
        }
    }
}
