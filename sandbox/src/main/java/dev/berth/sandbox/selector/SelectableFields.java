package dev.berth.sandbox.selector;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** The fields of one kind that a field selector may name, and how each is read. */
public final class SelectableFields {

    private static final Map<String, Function<ObjectNode, String>> ALWAYS =
            Map.of("metadata.name", ObjectMetaReader::name, "metadata.namespace", ObjectMetaReader::namespace);

    private final Map<String, Function<ObjectNode, String>> readers;
    private final boolean builtIn;

    private SelectableFields(Map<String, Function<ObjectNode, String>> special, boolean plain) {
        this.readers = new TreeMap<>(ALWAYS);
        this.readers.putAll(special);
        this.builtIn = plain;
    }

    /** The fields of a built-in kind. */
    public static SelectableFields forBuiltIn(String group, String kind) {
        Map<String, Function<ObjectNode, String>> special = special(group, kind);
        return new SelectableFields(special, special.isEmpty());
    }

    /** The fields a custom kind declares, as paths like {@code .spec.color}. */
    public static SelectableFields forCustomKind(Set<String> jsonPaths) {
        Map<String, Function<ObjectNode, String>> special = new TreeMap<>();
        for (String path : jsonPaths) {
            String name = path.startsWith(".") ? path.substring(1) : path;
            special.put(name, text(name));
        }
        return new SelectableFields(special, false);
    }

    boolean supports(String field) {
        return readers.containsKey(field);
    }

    /** The sentence by which a field that is not known is refused. */
    String unsupportedFieldMessage(String field) {
        return builtIn
                ? "\"" + field + "\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\""
                : "field label not supported: " + field;
    }

    /** The value of a known field, empty when the object has none. */
    String value(ObjectNode object, String field) {
        Function<ObjectNode, String> reader = readers.get(field);
        if (reader == null) {
            throw new IllegalArgumentException("field (" + field + ") is not selectable");
        }
        return reader.apply(object);
    }

    private static Map<String, Function<ObjectNode, String>> special(String group, String kind) {
        return switch (group + "/" + kind) {
            case "/Pod" -> pod();
            case "/Event" -> coreEvent();
            case "events.k8s.io/Event" -> eventsV1Event();
            case "/Node" ->
                Map.of(
                        "spec.unschedulable",
                        node -> Boolean.toString(NestedFields.flag(node, "spec", "unschedulable")));
            case "/Namespace" -> Map.of("status.phase", text("status.phase"));
            case "/Secret" -> Map.of("type", text("type"));
            case "/Service" -> Map.of("spec.clusterIP", text("spec.clusterIP"), "spec.type", text("spec.type"));
            case "/ReplicationController" -> Map.of("status.replicas", number("status.replicas"));
            case "batch/Job" -> Map.of("status.successful", number("status.succeeded"));
            default -> Map.of();
        };
    }

    private static Map<String, Function<ObjectNode, String>> pod() {
        Map<String, Function<ObjectNode, String>> fields = new TreeMap<>();
        for (String each : Set.of(
                "spec.nodeName",
                "spec.restartPolicy",
                "spec.schedulerName",
                "spec.serviceAccountName",
                "status.phase",
                "status.podIP",
                "status.nominatedNodeName")) {
            fields.put(each, text(each));
        }
        fields.put("status.podIPs", text("status.podIP"));
        fields.put("spec.host", text("spec.nodeName"));
        fields.put("spec.hostNetwork", pod -> Boolean.toString(NestedFields.flag(pod, "spec", "hostNetwork")));
        return fields;
    }

    private static Map<String, Function<ObjectNode, String>> coreEvent() {
        Map<String, Function<ObjectNode, String>> fields = event("involvedObject");
        fields.put("reportingComponent", text("reportingComponent"));
        fields.put("source", event -> {
            String component = NestedFields.text(event, "source", "component");
            return component.isEmpty() ? NestedFields.text(event, "reportingComponent") : component;
        });
        return fields;
    }

    private static Map<String, Function<ObjectNode, String>> eventsV1Event() {
        Map<String, Function<ObjectNode, String>> fields = event("regarding");
        fields.put("reportingController", text("reportingComponent"));
        return fields;
    }

    /** Either group has its own words, and all are read from the core form, in which events are stored. */
    private static Map<String, Function<ObjectNode, String>> event(String about) {
        Map<String, Function<ObjectNode, String>> fields = new TreeMap<>();
        for (String part : Set.of("kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath")) {
            fields.put(about + "." + part, text("involvedObject." + part));
        }
        fields.put("reason", text("reason"));
        fields.put("type", text("type"));
        return fields;
    }

    private static Function<ObjectNode, String> text(String dotted) {
        String[] path = dotted.split("\\.", -1);
        return object -> {
            JsonNode value = NestedFields.at(object, path);
            return value.isValueNode() ? value.asText() : "";
        };
    }

    private static Function<ObjectNode, String> number(String dotted) {
        String[] path = dotted.split("\\.", -1);
        return object -> Long.toString(NestedFields.number(object, path));
    }
}
