package dev.berth.core.door.comeback;

import dev.berth.core.decision.Desk;
import java.util.Optional;

/** What the event says when the time of a Reservation is over and no pod took its place. */
final class ExpiryMessage {
    private ExpiryMessage() {}

    static String of(KeptEntry entry, Desk desk) {
        Placeholder seen = entry.seen;
        Optional<String> keptNothing = keptNothing(seen, desk);
        if (keptNothing.isPresent()) {
            return "The Reservation expired. It kept no room: %s.".formatted(keptNothing.get());
        }
        return entry.unheld
                ? "Node %s had no room for the Reservation before it expired.".formatted(seen.node())
                : "No pod returned to node %s before the Reservation expired. Its room is free.".formatted(seen.node());
    }

    /** Why it kept no room until its end; empty where it may have. */
    private static Optional<String> keptNothing(Placeholder seen, Desk desk) {
        if (!seen.shortcoming().isEmpty()) {
            return Optional.of(seen.problem().isEmpty() ? seen.shortcoming() : seen.problem());
        }
        if (seen.node().isEmpty()) {
            return Optional.of("spec.nodename is empty");
        }
        return desk.ledger().node(seen.node()).isEmpty()
                ? Optional.of("there is no node " + seen.node())
                : Optional.empty();
    }
}
