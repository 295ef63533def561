package dev.berth.sandbox.apiextensions;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.flag;
import static dev.berth.sandbox.unstructured.NestedFields.object;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.text;
import static dev.berth.sandbox.unstructured.NestedFields.texts;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.GoFormat;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The status of a definition: which of its names are accepted, because other kinds of the group may have them,
 * and whether its kind is served. An established kind stays established, even if it later asks for other names.
 */
public final class CrdStatus {
    private final ObjectNode definition;
    private final Set<String> takenResources = new HashSet<>();
    private final Set<String> takenKinds = new HashSet<>();
    private String reason = "NoConflicts";
    private String message = "no conflicts found";

    private CrdStatus(ObjectNode definition, Collection<ObjectNode> others) {
        this.definition = definition;
        String group = text(definition, "spec", "group");
        String name = text(definition, "metadata", "name");
        for (ObjectNode other : others) {
            boolean rival = text(other, "spec", "group").equals(group)
                    && !text(other, "metadata", "name").equals(name);
            if (rival) {
                JsonNode names = at(other, "status", "acceptedNames");
                takenResources.add(text(names, "plural"));
                takenResources.add(text(names, "singular"));
                takenResources.addAll(texts(names, "shortNames"));
                takenKinds.add(text(names, "kind"));
                takenKinds.add(text(names, "listKind"));
            }
        }
        takenResources.remove("");
        takenKinds.remove("");
    }

    /**
     * The new status.
     *
     * @param others all definitions; this one may be among them
     * @param now the transition time of conditions that change, as text
     */
    public static ObjectNode compute(ObjectNode definition, Collection<ObjectNode> others, String now) {
        return new CrdStatus(definition, others).computeStatus(now);
    }

    private ObjectNode computeStatus(String now) {
        ObjectNode status = object(definition, "status")
                .orElseGet(JsonNodeFactory.instance::objectNode)
                .deepCopy();
        ObjectNode accepted = acceptedNames();
        boolean good = reason.equals("NoConflicts");
        Optional<ObjectNode> established = condition("Established");
        ArrayNode conditions = JsonNodeFactory.instance.arrayNode();
        conditions.add(condition("NamesAccepted", good, List.of(reason, message), now));
        boolean lasting =
                established.map(found -> text(found, "status").equals("True")).orElse(false);
        conditions.add(
                lasting
                        ? established.orElseThrow()
                        : condition(
                                "Established",
                                good,
                                good
                                        ? List.of("InitialNamesAccepted", "the initial names have been accepted")
                                        : List.of("NotAccepted", "not all names are accepted"),
                                now));
        status.set("conditions", conditions);
        status.set("acceptedNames", accepted);
        storedVersions(status);
        return status;
    }

    private ObjectNode acceptedNames() {
        JsonNode requested = at(definition, "spec", "names");
        JsonNode previous = at(definition, "status", "acceptedNames");
        ObjectNode accepted = JsonNodeFactory.instance.objectNode();
        acceptName(requested, previous, accepted, "plural", takenResources);
        acceptName(requested, previous, accepted, "singular", takenResources);
        acceptShortNames(requested, previous, accepted);
        acceptName(requested, previous, accepted, "kind", takenKinds);
        acceptName(requested, previous, accepted, "listKind", takenKinds);
        if (!texts(requested, "categories").isEmpty()) {
            accepted.set("categories", at(requested, "categories").deepCopy());
        }
        return accepted;
    }

    private void acceptName(
            JsonNode requested, JsonNode previous, ObjectNode accepted, String field, Set<String> taken) {
        String name = text(requested, field);
        String old = text(previous, field);
        if (name.equals(old) || !taken.contains(name)) {
            accepted.put(field, name);
            return;
        }
        recordNameConflict(Character.toUpperCase(field.charAt(0)) + field.substring(1), List.of(name));
        if (!old.isEmpty() || field.equals("plural") || field.equals("kind")) {
            accepted.put(field, old);
        }
    }

    private void acceptShortNames(JsonNode requested, JsonNode previous, ObjectNode accepted) {
        List<String> own = texts(previous, "shortNames");
        List<String> conflicts = texts(requested, "shortNames").stream()
                .filter(name -> !own.contains(name) && takenResources.contains(name))
                .toList();
        JsonNode names = at(conflicts.isEmpty() ? requested : previous, "shortNames");
        if (!names.isEmpty()) {
            accepted.set("shortNames", names.deepCopy());
        }
        if (!conflicts.isEmpty()) {
            recordNameConflict("ShortNames", conflicts);
        }
    }

    private void recordNameConflict(String what, List<String> names) {
        String all = names.stream()
                .map(name -> GoFormat.quote(name) + " is already in use")
                .collect(Collectors.joining(", "));
        reason = what + "Conflict";
        message = names.size() > 1 ? "[" + all + "]" : all;
    }

    private Optional<ObjectNode> condition(String type) {
        return objects(definition, "status", "conditions").stream()
                .filter(condition -> text(condition, "type").equals(type))
                .findFirst();
    }

    private ObjectNode condition(String type, boolean holds, List<String> words, String now) {
        String value = holds ? "True" : "False";
        String since = condition(type)
                .filter(old -> text(old, "status").equals(value))
                .map(old -> text(old, "lastTransitionTime"))
                .orElse(now);
        return JsonNodeFactory.instance
                .objectNode()
                .put("type", type)
                .put("status", value)
                .put("lastTransitionTime", since)
                .put("reason", words.get(0))
                .put("message", words.get(1));
    }

    private void storedVersions(ObjectNode status) {
        Set<String> stored = new LinkedHashSet<>(texts(status, "storedVersions"));
        objects(definition, "spec", "versions").stream()
                .filter(version -> flag(version, "storage"))
                .forEach(version -> stored.add(text(version, "name")));
        stored.forEach(status.putArray("storedVersions")::add);
    }
}
