package dev.berth.core.hold;

import java.util.Comparator;

/** Identifies the component of the scheduler that a hold, a fact or a write belongs to. */
public sealed interface ComponentId permits Origin.DoorId, Origin.PluginId {
    /** Doors before plugins, and each in the order of their enum. */
    Comparator<ComponentId> ORDER = ComponentId::compare;

    /** The name for users: in flags, configuration, metrics, the log, the documentation and the ids of holds. */
    String text();

    /**
     * Whether the component puts a hold even if the node lacks the capacity, also capacity that other holds need. The other
     * components put new holds only where they fit.
     */
    boolean ignoresFreeCapacity();

    /** The position in the enum. */
    int ordinal();

    private static int compare(ComponentId one, ComponentId other) {
        int byKind = Boolean.compare(one instanceof Origin.PluginId, other instanceof Origin.PluginId);
        return byKind != 0 ? byKind : Integer.compare(one.ordinal(), other.ordinal());
    }
}
