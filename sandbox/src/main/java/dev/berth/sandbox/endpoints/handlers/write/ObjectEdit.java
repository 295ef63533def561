package dev.berth.sandbox.endpoints.handlers.write;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.registry.RestStrategy;
import dev.berth.sandbox.validation.field.FieldError;
import java.util.List;

/** One way to change an object: what it makes of the present state, and which part of the kind's rules apply. */
public interface ObjectEdit {

    /** The wanted state, as the caller's own tree, pruned and defaulted; before is shared and read only. */
    ObjectNode updatedObject(ObjectNode before);

    /** Whether the way has already asked admission about its own form of the object, and taken what it said. */
    default boolean isAlreadyAdmitted() {
        return false;
    }

    /** The form in which admission is shown an object that is changed this way. */
    default ObjectNode admissionView(ObjectNode object) {
        return object;
    }

    /** Keeps what this way may not change. */
    default void prepare(RestStrategy rules, ObjectNode before, ObjectNode mutable) {
        rules.prepareForUpdate(before, mutable);
    }

    /** What is wrong with the outcome. */
    default List<FieldError> validate(RestStrategy rules, ObjectNode before, ObjectNode after) {
        return rules.validateUpdate(before, after);
    }
}
