package dev.berth.embedded.rest.subresource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.crd.ScalePaths;
import dev.berth.embedded.defaults.Defaults;
import dev.berth.embedded.rest.select.LabelSelector;
import dev.berth.embedded.rest.select.SelectorSyntaxException;
import dev.berth.embedded.schema.GroupVersionKind;
import dev.berth.embedded.tree.Trees;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** An object seen as something with a number of replicas, and back. */
final class ScaleView {

    static final GroupVersionKind KIND = new GroupVersionKind("autoscaling", "v1", "Scale");

    private static final ScalePaths BUILT_IN = new ScalePaths(".spec.replicas", ".status.replicas", "");

    private final ScalePaths paths;
    private final boolean custom;

    private ScaleView(ScalePaths paths, boolean custom) {
        this.paths = paths;
        this.custom = custom;
    }

    static ScaleView ofBuiltIn() {
        return new ScaleView(BUILT_IN, false);
    }

    static ScaleView ofCustom(ScalePaths paths) {
        return new ScaleView(paths, true);
    }

    /** The Scale of an object. */
    ObjectNode of(ObjectNode object) {
        ObjectNode scale = JsonNodeFactory.instance.objectNode();
        scale.put("kind", KIND.kind()).put("apiVersion", KIND.apiVersion());
        ObjectNode metadata = scale.putObject("metadata");
        for (String field : List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
            JsonNode value = object.path("metadata").get(field);
            if (value != null) {
                metadata.set(field, value);
            }
        }
        Trees.putNumber(scale.putObject("spec"), "replicas", Trees.number(object, path(paths.specReplicas())));
        ObjectNode status = scale.putObject("status");
        Trees.putNumber(status, "replicas", Trees.number(object, path(paths.statusReplicas())));
        String selector = selector(object);
        if (!selector.isEmpty()) {
            status.put("selector", selector);
        }
        Defaults.apply(KIND, scale);
        return scale;
    }

    /** Takes a Scale's number over into an object that is the caller's own. */
    void write(ObjectNode scale, ObjectNode own) {
        String[] path = path(paths.specReplicas());
        ObjectNode parent = own;
        for (int i = 0; i < path.length - 1; i++) {
            parent = Trees.child(parent, path[i]);
        }
        parent.put(path[path.length - 1], (int) Trees.number(scale, "spec", "replicas"));
        String version = Trees.text(scale, "metadata", "resourceVersion");
        if (version.isEmpty()) {
            Trees.child(own, "metadata").remove("resourceVersion");
        } else {
            Trees.child(own, "metadata").put("resourceVersion", version);
        }
    }

    private String selector(ObjectNode object) {
        if (custom) {
            return paths.labelSelector().isEmpty() ? "" : Trees.text(object, path(paths.labelSelector()));
        }
        JsonNode selector = Trees.at(object, "spec", "selector");
        if (selector.has("matchLabels") || selector.has("matchExpressions")) {
            try {
                return LabelSelector.from(selector).toString();
            } catch (SelectorSyntaxException impossible) {
                throw new IllegalStateException("a stored selector cannot be read", impossible);
            }
        }
        Map<String, String> plain = new TreeMap<>(Trees.map(object, "spec", "selector"));
        return plain.entrySet().stream()
                .map(each -> each.getKey() + "=" + each.getValue())
                .collect(Collectors.joining(","));
    }

    private static String[] path(String jsonPath) {
        return jsonPath.substring(1).split("\\.", -1);
    }
}
