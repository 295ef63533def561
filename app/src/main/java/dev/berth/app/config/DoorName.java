package dev.berth.app.config;

import dev.berth.core.hold.Origin;
import dev.berth.kubernetes.crd.CrdManifest;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The doors by the names in the configuration, with the CRDs that each needs. */
public enum DoorName {
    KOORDINATOR(Origin.DoorId.KOORDINATOR),
    GODEL(Origin.DoorId.GODEL),
    NODE_ANNOTATION(Origin.DoorId.NODE_ANNOTATION),
    GLOBALRESERVE(Origin.DoorId.GLOBALRESERVE),
    DEVICES(Origin.DoorId.DEVICES);

    private final String text;

    DoorName(Origin.DoorId doorId) {
        this.text = doorId.text();
    }

    /** The door with this name. */
    public static DoorName parse(String text) {
        return Arrays.stream(values())
                .filter(door -> door.text.equals(text))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("(%s) is not a door. Doors: %s".formatted(text, join())));
    }

    /** All names, for error messages. */
    public static String join() {
        return join(EnumSet.allOf(DoorName.class));
    }

    public static String join(Set<DoorName> doors) {
        return doors.stream().sorted().map(DoorName::toString).collect(Collectors.joining(", "));
    }

    /** The CRDs that only this door reads. */
    public List<CrdManifest> definitions() {
        return switch (this) {
            case KOORDINATOR -> List.of(CrdManifest.KOORDINATOR_RESERVATIONS);
            case GODEL -> List.of(CrdManifest.GODEL_RESERVATIONS, CrdManifest.CHECKPOINTS);
            case NODE_ANNOTATION -> List.of();
            case GLOBALRESERVE -> List.of(CrdManifest.HOLDS);
            case DEVICES -> List.of(CrdManifest.EXTENDED_RESOURCES, CrdManifest.EXTENDED_RESOURCE_CLAIMS);
        };
    }

    @Override
    public String toString() {
        return text;
    }
}
