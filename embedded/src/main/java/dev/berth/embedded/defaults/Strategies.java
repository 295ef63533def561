package dev.berth.embedded.defaults;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * What each kind takes over, resets or counts when it is created or updated: status that clients may not
 * write, the generation, the phase a new object begins in.
 */
public final class Strategies {
    private Strategies() {}

    /** Prepares a defaulted object for its first storing: status reset, generation 1 where the kind counts. */
    public static void onCreate(String group, String kind, ObjectNode object) {}

    /** Prepares a defaulted update through the main resource: status kept, generation counted. */
    public static void onUpdate(String group, String kind, ObjectNode before, ObjectNode after) {}

    /** Prepares a defaulted update through the status subresource: everything but status kept. */
    public static void onStatusUpdate(String group, String kind, ObjectNode before, ObjectNode after) {}
}
