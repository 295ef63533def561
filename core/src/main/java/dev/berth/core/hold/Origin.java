package dev.berth.core.hold;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Where a hold came from.
 *
 * @param component the component that put the hold
 * @param displayName the name that users know, such as {@code Reservation default/reservation-demo}
 */
public record Origin(ComponentId component, String displayName) {
    /** The doors, by the names in the configuration. */
    public enum DoorId implements ComponentId {
        KOORDINATOR("koordinator"),
        GODEL("godel"),
        NODE_ANNOTATION("node-annotation"),
        GLOBALRESERVE("globalreserve"),
        DEVICES("devices");

        private final String text;

        DoorId(String text) {
            this.text = text;
        }

        /** The door with this name. */
        public static DoorId parse(String text) {
            return Arrays.stream(values())
                    .filter(door -> door.text.equals(text))
                    .findFirst()
                    .orElseThrow(() ->
                            new IllegalArgumentException("(%s) is not a door. Doors: %s".formatted(text, joinAll())));
        }

        /** The names of all doors, for messages. */
        public static String joinAll() {
            return join(EnumSet.allOf(DoorId.class));
        }

        /** The names of these doors, for messages. */
        public static String join(Set<DoorId> doors) {
            return doors.stream().sorted().map(DoorId::text).collect(Collectors.joining(", "));
        }

        @Override
        public String text() {
            return text;
        }

        /** An operator writes the annotation of a node, and it takes effect as it is. */
        @Override
        public boolean ignoresFreeCapacity() {
            return this == NODE_ANNOTATION;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /** The plugins, in the order in which they are called. Of these only preemption puts holds. */
    public enum PluginId implements ComponentId {
        VOLUME_BINDING("volumes"),
        NOMINATED_NODES("nominated-nodes"),
        PREEMPTION("preemption");

        private final String text;

        PluginId(String text) {
            this.text = text;
        }

        @Override
        public String text() {
            return text;
        }

        @Override
        public boolean ignoresFreeCapacity() {
            return false;
        }
    }
}
