package dev.berth.sandbox.endpoints.subresource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.apiextensions.ScalePaths;
import dev.berth.sandbox.defaulting.Defaults;
import dev.berth.sandbox.printers.SelectorFormatter;
import dev.berth.sandbox.schema.GroupVersionKind;
import dev.berth.sandbox.unstructured.NestedFields;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Converts an object to a Scale and back. */
final class ScaleConversion {

    static final GroupVersionKind KIND = new GroupVersionKind("autoscaling", "v1", "Scale");

    private static final ScalePaths BUILT_IN = new ScalePaths(".spec.replicas", ".status.replicas", "");

    private final ScalePaths paths;
    private final boolean custom;

    private ScaleConversion(ScalePaths paths, boolean custom) {
        this.paths = paths;
        this.custom = custom;
    }

    static ScaleConversion forBuiltIn() {
        return new ScaleConversion(BUILT_IN, false);
    }

    static ScaleConversion forCustomKind(ScalePaths paths) {
        return new ScaleConversion(paths, true);
    }

    /** The Scale of an object. */
    ObjectNode toScale(ObjectNode object) {
        ObjectNode scale = JsonNodeFactory.instance.objectNode();
        scale.put("kind", KIND.kind()).put("apiVersion", KIND.apiVersion());
        ObjectNode metadata = scale.putObject("metadata");
        for (String field : List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
            JsonNode value = object.path("metadata").get(field);
            if (value != null) {
                metadata.set(field, value);
            }
        }
        NestedFields.putNumber(
                scale.putObject("spec"), "replicas", NestedFields.number(object, path(paths.specReplicas())));
        ObjectNode status = scale.putObject("status");
        NestedFields.putNumber(status, "replicas", NestedFields.number(object, path(paths.statusReplicas())));
        String selector = selector(object);
        if (!selector.isEmpty()) {
            status.put("selector", selector);
        }
        Defaults.apply(KIND, scale);
        return scale;
    }

    /** Sets the replicas of a Scale in an object that the caller owns. */
    void applyReplicas(ObjectNode scale, ObjectNode mutable) {
        String[] path = path(paths.specReplicas());
        ObjectNode parent = mutable;
        for (int i = 0; i < path.length - 1; i++) {
            parent = NestedFields.getOrCreateObject(parent, path[i]);
        }
        parent.put(path[path.length - 1], (int) NestedFields.number(scale, "spec", "replicas"));
        String version = NestedFields.text(scale, "metadata", "resourceVersion");
        if (version.isEmpty()) {
            NestedFields.getOrCreateObject(mutable, "metadata").remove("resourceVersion");
        } else {
            NestedFields.getOrCreateObject(mutable, "metadata").put("resourceVersion", version);
        }
    }

    private String selector(ObjectNode object) {
        if (custom) {
            return paths.labelSelector().isEmpty() ? "" : NestedFields.text(object, path(paths.labelSelector()));
        }
        JsonNode selector = NestedFields.at(object, "spec", "selector");
        if (selector.has("matchLabels") || selector.has("matchExpressions")) {
            return SelectorFormatter.format(selector);
        }
        Map<String, String> plain = new TreeMap<>(NestedFields.map(object, "spec", "selector"));
        return plain.entrySet().stream()
                .map(each -> each.getKey() + "=" + each.getValue())
                .collect(Collectors.joining(","));
    }

    private static String[] path(String jsonPath) {
        return jsonPath.substring(1).split("\\.", -1);
    }
}
