package dev.berth.core.door.reserve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.resource.Resources;
import dev.berth.core.testing.Allocation;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Callers reserve a pod again and again. */
class RepeatedReserveTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final PodUid POD = new PodUid("a");

    @Test
    void groupsThatAreOverCostThePodsNextCallNothing() {
        lookup(1);
        long few = lookup(10);
        long many = lookup(10_000);

        assertThat(many).as("bytes after 10000 groups, %d after 10", few).isLessThan(2 * few);
    }

    private static long lookup(int over) {
        Groups groups = new Groups();
        for (int i = 0; i < over; i++) {
            Group group = group("over-" + i);
            groups.add(group);
            group.endAll();
            groups.bury(group);
        }
        groups.add(group("now"));
        return Allocation.of(() -> assertThat(groups.keeping(POD)).hasSize(1));
    }

    private static Group group(String name) {
        Place place = new Place(
                new Place.Guest(POD, "default", "a"),
                new Place.Host(new NodeUid("n1"), "n1"),
                Resources.NONE,
                List.of());
        return Group.found(name, new HoldSpec("batch", NOW, NOW.plusSeconds(60), List.of(place)));
    }
}
