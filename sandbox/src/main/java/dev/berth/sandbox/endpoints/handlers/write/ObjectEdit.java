package dev.berth.sandbox.endpoints.handlers.write;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.registry.RestStrategy;
import dev.berth.sandbox.validation.field.FieldError;
import java.util.List;

/** One kind of change: how it derives the new object, and which rules of the kind apply. */
public interface ObjectEdit {

    /** The new object, pruned and defaulted, owned by the caller; {@code before} is shared and read only. */
    ObjectNode updatedObject(ObjectNode before);

    /** Whether this edit has already called admission with its own form of the object. */
    default boolean isAlreadyAdmitted() {
        return false;
    }

    /** The form of the object for admission. */
    default ObjectNode admissionView(ObjectNode object) {
        return object;
    }

    /** Restores the fields that this edit may not change. */
    default void prepare(RestStrategy rules, ObjectNode before, ObjectNode mutable) {
        rules.prepareForUpdate(before, mutable);
    }

    /** Validates the result. */
    default List<FieldError> validate(RestStrategy rules, ObjectNode before, ObjectNode after) {
        return rules.validateUpdate(before, after);
    }
}
