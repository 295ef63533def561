package dev.berth.sandbox.controller.util;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.OwnerReference;
import java.util.List;

/** Makes pods of {@code spec.template}. */
public final class PodFactory {
    private static final List<String> COPIED = List.of("labels", "annotations", "finalizers");

    private PodFactory() {}

    /** A pod of the owner's template, controlled by the owner, in its namespace, still without a name. */
    public static ObjectNode podFromTemplate(ObjectNode owner) {
        JsonNode template = NestedFields.at(owner, "spec", "template");
        ObjectNode pod = NestedFields.newObject().put("apiVersion", "v1").put("kind", "Pod");
        ObjectNode metadata = pod.putObject("metadata").put("namespace", ObjectMetaReader.namespace(owner));
        for (String field : COPIED) {
            JsonNode value = NestedFields.at(template, "metadata", field);
            if (!value.isMissingNode()) {
                metadata.set(field, value.deepCopy());
            }
        }
        metadata.putArray("ownerReferences")
                .add(OwnerReference.controllerReference(owner).toJson());
        pod.set("spec", NestedFields.copyOf(template, "spec"));
        return pod;
    }
}
