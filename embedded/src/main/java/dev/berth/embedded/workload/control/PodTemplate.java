package dev.berth.embedded.workload.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.client.object.OwnerReference;
import java.util.List;

/** Makes pods of {@code spec.template}. */
public final class PodTemplate {
    private static final List<String> COPIED = List.of("labels", "annotations", "finalizers");

    private PodTemplate() {}

    /** A pod of the owner's template, controlled by the owner, in its namespace, still without a name. */
    public static ObjectNode podOf(ObjectNode owner) {
        JsonNode template = Json.at(owner, "spec", "template");
        ObjectNode pod = Json.object().put("apiVersion", "v1").put("kind", "Pod");
        ObjectNode metadata = pod.putObject("metadata").put("namespace", Meta.namespace(owner));
        for (String field : COPIED) {
            JsonNode value = Json.at(template, "metadata", field);
            if (!value.isMissingNode()) {
                metadata.set(field, value.deepCopy());
            }
        }
        metadata.putArray("ownerReferences")
                .add(OwnerReference.controlledBy(owner).toJson());
        pod.set("spec", Json.copyOf(template, "spec"));
        return pod;
    }
}
