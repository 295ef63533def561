package dev.berth.app.config;

import dev.berth.kubernetes.crd.Definition;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The doors by the names that people open and leave out, with the kinds that each needs the cluster to know. */
public enum DoorName {
    RESERVATION("reservation"),
    RETURN("return"),
    NODE_ANNOTATION("node-annotation"),
    RESERVE("reserve"),
    DEVICES("devices");

    private final String text;

    DoorName(String text) {
        this.text = text;
    }

    /** The door that people call so. */
    public static DoorName named(String text) {
        return Arrays.stream(values())
                .filter(door -> door.text.equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("(%s) is no door. Doors: %s".formatted(text, list())));
    }

    /** All names, for those who look for the right one. */
    public static String list() {
        return list(EnumSet.allOf(DoorName.class));
    }

    public static String list(Set<DoorName> doors) {
        return doors.stream().sorted().map(DoorName::toString).collect(Collectors.joining(", "));
    }

    /** The kinds that nobody but this door reads. */
    public List<Definition> kinds() {
        return switch (this) {
            case RESERVATION -> List.of(Definition.RESERVATIONS);
            case RETURN -> List.of(Definition.RETURNS, Definition.CHECKPOINTS);
            case NODE_ANNOTATION -> List.of();
            case RESERVE -> List.of(Definition.HOLDS);
            case DEVICES -> List.of(Definition.EXTENDED_RESOURCES, Definition.EXTENDED_RESOURCE_CLAIMS);
        };
    }

    @Override
    public String toString() {
        return text;
    }
}
