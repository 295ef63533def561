package dev.berth.core.door.globalreserve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.resource.Resources;
import dev.berth.core.testing.AllocatedBytes;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Callers reserve a pod again and again. */
class RepeatedReserveTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final PodUid POD = new PodUid("a");

    @Test
    void finishedGroupsOfAPodAddNoCostToItsNextCall() {
        lookup(1);
        long few = lookup(10);
        long many = lookup(10_000);

        assertThat(many).as("bytes after 10000 groups, %d after 10", few).isLessThan(2 * few);
    }

    private static long lookup(int over) {
        Map<String, ReservedGroup> groups = new HashMap<>();
        ReservedGroupIndex reservedGroupIndex = new ReservedGroupIndex(name -> Optional.ofNullable(groups.get(name)));
        for (int i = 0; i < over; i++) {
            ReservedGroup group = group("over-" + i);
            groups.put(group.name(), group);
            reservedGroupIndex.add(group);
            group.endAllPlaces();
            reservedGroupIndex.markDeleted(group);
        }
        ReservedGroup current = group("now");
        groups.put(current.name(), current);
        reservedGroupIndex.add(current);
        return AllocatedBytes.measure(
                () -> assertThat(reservedGroupIndex.findHolding(POD)).hasSize(1));
    }

    private static ReservedGroup group(String name) {
        ReservedPlace place = new ReservedPlace(
                new ReservedPlace.PodIdentity(POD, "default", "a"),
                new ReservedPlace.NodeIdentity(new NodeUid("n1"), "n1"),
                Resources.NONE,
                List.of());
        return ReservedGroup.observed(name, new StoredHoldSpec("batch", NOW, NOW.plusSeconds(60), List.of(place)));
    }
}
