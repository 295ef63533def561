package dev.berth.core.decision;

import dev.berth.core.hold.Hold;
import dev.berth.core.hold.Origin;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The doors that are open, in the order of their names. */
final class Doors {
    private final Map<Origin.Door, Door> doors = new EnumMap<>(Origin.Door.class);

    Doors(List<? extends Door> open) {
        for (Door door : open) {
            if (doors.put(door.name(), door) != null) {
                throw new IllegalArgumentException("door (%s) is given twice".formatted(door.name()));
            }
        }
    }

    Collection<Door> all() {
        return doors.values();
    }

    Optional<Door> named(Origin.Door name) {
        return Optional.ofNullable(doors.get(name));
    }

    Optional<Door> of(Hold hold) {
        return named(hold.origin().door());
    }

    Optional<Instant> nextWake() {
        return doors.values().stream()
                .map(Door::nextWake)
                .flatMap(Optional::stream)
                .min(Instant::compareTo);
    }
}
