package dev.berth.sandbox.controller.statefulset;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.SemanticEquality;
import java.util.Comparator;

/** A ControllerRevision: one template of a StatefulSet. */
record ControllerRevision(ObjectNode object) {
    static final Comparator<ControllerRevision> ORDER = Comparator.comparingLong(ControllerRevision::number)
            .thenComparing(revision -> ObjectMetaReader.creationTimestamp(revision.object))
            .thenComparing(ControllerRevision::name);

    String name() {
        return ObjectMetaReader.name(object);
    }

    long number() {
        return NestedFields.at(object, "revision").asLong(0);
    }

    /** The data of a revision: a strategic merge patch that restores the template, for {@code kubectl rollout undo}. */
    static ObjectNode dataOf(StatefulSetView set) {
        ObjectNode data = NestedFields.newObject();
        ObjectNode template = NestedFields.copyOf(set.object(), "spec", "template");
        template.put("$patch", "replace");
        data.putObject("spec").set("template", template);
        return data;
    }

    boolean hasData(ObjectNode data) {
        return SemanticEquality.areEqual(NestedFields.at(object, "data"), data);
    }

    ObjectNode template() {
        ObjectNode template = NestedFields.copyOf(object, "data", "spec", "template");
        template.remove("$patch");
        return template;
    }
}
