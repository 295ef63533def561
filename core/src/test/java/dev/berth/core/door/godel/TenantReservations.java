package dev.berth.core.door.godel;

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
 * Reservations that tenants create, edit and delete: of any size, on any node, some with all annotations of Berth. They
 * name no pod, a pod that never existed, or a pod that runs or was deleted. No pod has their key, so they take nothing
 * but capacity.
 */
final class TenantReservations {
    private static final String PREFIX = "tenant-";
    private static final int MOST_CPUS = 12;
    private static final int LATEST_PODS = 6;

    private final GodelScene scene;
    /** The UIDs of the pods that run or were deleted, in the order of their binds. */
    private final Set<String> bound = new LinkedHashSet<>();

    private int count;

    TenantReservations(GodelScene scene) {
        this.scene = scene;
    }

    /** Whether a tenant created the Reservation of this name. */
    static boolean isTenantReservation(String name) {
        return name.startsWith(PREFIX);
    }

    static boolean isAbout(String event) {
        return event.contains("/" + PREFIX);
    }

    void change(Random random, List<String> nodes) {
        List<String> names = names();
        if (names.isEmpty() || random.nextInt(3) == 0) {
            scene.upsertReservation(randomReservation(PREFIX + count++, random, nodes))
                    .runTurns();
            return;
        }
        String name = names.get(random.nextInt(names.size()));
        if (random.nextInt(3) == 0) {
            scene.deleteReservation(name).runTurns();
        } else {
            GodelReservation edited = scene.findReservation(name).orElseThrow().toBuilder()
                    .size(size(random))
                    .build();
            scene.upsertReservation(edited).runTurns();
        }
    }

    /** A Reservation is created while Berth is down. */
    void writeUnseen(Random random, List<String> nodes) {
        scene.upsertReservationUnseen(randomReservation(PREFIX + count++, random, nodes));
    }

    private List<String> names() {
        return scene.reservationNames().stream()
                .filter(TenantReservations::isTenantReservation)
                .toList();
    }

    private GodelReservation randomReservation(String name, Random random, List<String> nodes) {
        String node = nodes.get(random.nextInt(nodes.size()));
        boolean forged = random.nextBoolean();
        return GodelReservation.builder("default", name, "uid-" + name, scene.clock.instant())
                .key("tenants")
                .nodeName(node)
                .nodeUid(forged ? node : "")
                .originalPodUid(forged ? randomPodUid(name, random) : "")
                .ttlSeconds(random.nextBoolean() ? Optional.empty() : Optional.of(5L))
                .size(size(random))
                .build();
    }

    private String randomPodUid(String name, Random random) {
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

    /** Berth restarted: a Reservation that holds nothing waits, and expires. */
    void assertNoneDeletedBeforeExpiry(List<GodelReservation> before) {
        assertThat(scene.reservationNames())
                .as("Reservations that tenants wrote and whose time is not over")
                .containsAll(before.stream()
                        .filter(it -> it.deadline(GodelScene.DEFAULT_TTL).isAfter(scene.clock.instant()))
                        .map(GodelReservation::name)
                        .toList());
    }

    List<GodelReservation> all() {
        return names().stream()
                .flatMap(name -> scene.findReservation(name).stream())
                .toList();
    }

    /** The pods whose Reservations the checkpoint proves to be Berth's. */
    Set<PodUid> podsWithReservationsOfBerth() {
        Set<PodUid> pods = new HashSet<>();
        for (String name : scene.reservationNames()) {
            GodelReservation it = scene.findReservation(name).orElseThrow();
            it.originalPod()
                    .filter(pod -> !isTenantReservation(name) && it.isActive())
                    .filter(pod -> scene.checkpoint().pods().contains(pod) && scene.hasHoldOf(pod))
                    .ifPresent(pods::add);
        }
        return pods;
    }

    /** Berth restarted after pods were held. */
    void assertPlacesHeld(Set<PodUid> places, Predicate<PodUid> mayEnd) {
        for (PodUid left : places) {
            boolean isTaken = scene.pods().stream()
                    .map(Successors::findRecordedHold)
                    .anyMatch(place ->
                            place.filter(it -> it.originalPod().equals(left)).isPresent());
            boolean isOver = scene.reservationNames().stream()
                    .filter(name -> !isTenantReservation(name))
                    .flatMap(name -> scene.findReservation(name).stream())
                    .noneMatch(it -> it.originalPodUid().equals(left.value()) && it.isActive());
            assertThat(scene.hasHoldOf(left) || isTaken || isOver || mayEnd.test(left))
                    .as("the hold of pod %s is lost to a Reservation of a tenant", left)
                    .isTrue();
        }
    }
}
