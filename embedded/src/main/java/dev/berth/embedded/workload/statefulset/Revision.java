package dev.berth.embedded.workload.statefulset;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import java.util.Comparator;

/** A ControllerRevision: one template that a StatefulSet had. */
record Revision(ObjectNode object) {
    static final Comparator<Revision> ORDER = Comparator.comparingLong(Revision::number)
            .thenComparing(revision -> Meta.createdAt(revision.object))
            .thenComparing(Revision::name);

    String name() {
        return Meta.name(object);
    }

    long number() {
        return Json.at(object, "revision").asLong(0);
    }

    /** What is kept of a set: a strategic merge patch that brings its template back, for {@code kubectl rollout undo}. */
    static ObjectNode dataOf(StatefulSetView set) {
        ObjectNode data = Json.object();
        ObjectNode template = Json.copyOf(set.object(), "spec", "template");
        template.put("$patch", "replace");
        data.putObject("spec").set("template", template);
        return data;
    }

    boolean holds(ObjectNode data) {
        return Json.same(Json.at(object, "data"), data);
    }

    ObjectNode template() {
        ObjectNode template = Json.copyOf(object, "data", "spec", "template");
        template.remove("$patch");
        return template;
    }
}
