package dev.berth.core.hold;

/**
 * Where a hold came from.
 *
 * @param component the component that put the hold
 * @param displayName the name that users know, such as {@code Reservation default/reservation-demo}
 */
public record Origin(ComponentId component, String displayName) {
    /** The doors. */
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

        @Override
        public String text() {
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
    }
}
