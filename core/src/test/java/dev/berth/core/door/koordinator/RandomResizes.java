package dev.berth.core.door.koordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Patches of {@code status.allocatable}, beside the edits of templates. It knows which of the two came last, and whether
 * a process saw them in that order.
 */
final class RandomResizes {
    private final KoordinatorScene cluster;
    /** By name: the patched size, while no edit of the template came after it. */
    private final Map<String, Resources> patched = new HashMap<>();
    /** Those whose size does not follow from their last change alone. */
    private final Set<String> ambiguous = new HashSet<>();

    RandomResizes(KoordinatorScene cluster) {
        this.cluster = cluster;
    }

    /** A placed reservation gets any other size that its node has room for. Returns whether one got another size. */
    boolean patch(SplittableRandom random) {
        cluster.resumeWatch();
        List<Reservation> placed = cluster.reservations().stream()
                .filter(it -> it.schedulerName().equals(KoordinatorScene.SCHEDULER))
                .filter(it -> it.status().isAvailable())
                .toList();
        if (placed.isEmpty()) {
            return false;
        }
        Reservation chosen = placed.get(random.nextInt(placed.size()));
        String node = chosen.status().nodeName();
        long free = cluster.ledger()
                .node(node)
                .map(state -> state.free().get(ResourceName.CPU))
                .orElse(0L);
        long most = chosen.status().allocatable().get(ResourceName.CPU) + Math.max(0, free);
        Resources size = Resources.of(ResourceName.CPU, 1000 * (1 + random.nextLong(Math.max(1, most / 1000))));
        boolean differs = size.get(ResourceName.CPU) <= most
                && !size.equals(chosen.status().allocatable());
        if (differs) {
            patched.put(chosen.name(), size);
            cluster.writeStatusAsOtherScheduler(chosen.name(), chosen.status().withAllocatable(size));
        }
        return differs;
    }

    void onTemplateEdited(String name) {
        patched.remove(name);
    }

    /** What no process has recorded yet, the next one sees in no order. */
    void beforeRestart() {
        for (Reservation it : cluster.reservations()) {
            boolean recorded = it.status()
                    .appliedSize()
                    .filter(applied -> applied.allocatable().equals(it.status().allocatable()))
                    .isPresent();
            if (!recorded) {
                ambiguous.add(it.name());
            }
        }
    }

    /** Called once everything is quiet, for a placed reservation that Berth serves. */
    void check(String where, Reservation reservation, List<Pod> users) {
        ReservationStatus status = reservation.status();
        Optional<Resources> requested = reservation.requestedSize();
        Resources applied = status.appliedSize().orElseThrow().requested();
        boolean waits = requested.filter(size -> !size.equals(applied)).isPresent();
        assertThat(cluster.conditions(reservation.name()).contains("Resized=false/InsufficientCapacity"))
                .as(where)
                .isEqualTo(waits);
        if (waits) {
            checkLacksCapacity(where, reservation, requested.orElseThrow(), users);
        } else if (patched.containsKey(reservation.name()) && !ambiguous.contains(reservation.name())) {
            assertThat(status.allocatable()).as(where).isEqualTo(patched.get(reservation.name()));
        }
    }

    private void checkLacksCapacity(String where, Reservation reservation, Resources requested, List<Pod> users) {
        NodeState node = cluster.ledger().node(reservation.status().nodeName()).orElseThrow();
        long used = users.stream()
                .mapToLong(pod -> pod.spec().requests().get(ResourceName.CPU))
                .sum();
        long left = Math.max(0, reservation.status().allocatable().get(ResourceName.CPU) - used);
        long needed = Math.max(0, requested.get(ResourceName.CPU) - used);
        assertThat(needed - left).as(where).isGreaterThan(node.free().get(ResourceName.CPU));
    }
}
