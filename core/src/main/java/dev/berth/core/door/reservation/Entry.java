package dev.berth.core.door.reservation;

import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** All that the door knows of one reservation. */
final class Entry {
    /** As the API server shows it. */
    Reservation seen;
    /** Whether Berth serves its scheduler's name. If not, its place counts, but Berth neither seeks nor writes one. */
    boolean served = true;
    /** When this process first saw it. */
    final Instant since;
    /** The place that was found and is not yet in the status. */
    Optional<Place> found = Optional.empty();
    /** Why there is no place; empty as long as nobody looked. */
    String refusal = "";
    /** What its author was told last. */
    String told = "";
    /** The reasons of the reports that an event was written about and that are not over. */
    Set<String> reported = Set.of();
    /** The pods that used it up, if it is for once. It stays used up when they leave before the status says so. */
    List<Pod> spentBy = List.of();
    /** The node that its place was on is gone. */
    boolean lost;
    /** It became available, and nobody was told. */
    boolean fresh;

    Entry(Reservation seen, Instant since) {
        this.since = since;
        this.seen = seen;
    }

    /** A node that takes it. */
    record Place(String nodeName, NodeUid node) {}
}
