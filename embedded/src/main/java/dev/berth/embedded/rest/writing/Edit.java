package dev.berth.embedded.rest.writing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.rest.kind.KindRules;
import dev.berth.embedded.validation.FieldError;
import java.util.List;

/** One way to change an object: what it makes of the present state, and which part of the kind's rules apply. */
public interface Edit {

    /** The wanted state, as the caller's own tree, pruned and defaulted; before is shared and read only. */
    ObjectNode wanted(ObjectNode before);

    /** Whether the way has already asked admission about its own form of the object, and taken what it said. */
    default boolean isAdmitted() {
        return false;
    }

    /** The form in which admission is shown an object that is changed this way. */
    default ObjectNode shown(ObjectNode object) {
        return object;
    }

    /** Keeps what this way may not change. */
    default void prepare(KindRules rules, ObjectNode before, ObjectNode own) {
        rules.prepareUpdate(before, own);
    }

    /** What is wrong with the outcome. */
    default List<FieldError> validate(KindRules rules, ObjectNode before, ObjectNode after) {
        return rules.validateUpdate(before, after);
    }
}
