package dev.berth.sandbox.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Merges the list of a patch into that of an object. */
final class ListMerge {

    private final PatchMeta type;

    private ListMerge(PatchMeta type) {
        this.type = type;
    }

    /** The merged elements in their order. The original is left as what stays of it with what is new at its end. */
    static List<JsonNode> merge(List<JsonNode> original, List<JsonNode> patch, PatchMeta type) throws PatchException {
        return type.strategy().merge() ? new ListMerge(type).merge(original, patch) : patch;
    }

    private List<JsonNode> merge(List<JsonNode> original, List<JsonNode> patch) throws PatchException {
        requireOneKind(original, patch);
        boolean objects = !original.isEmpty()
                ? original.get(0).isObject()
                : !patch.isEmpty() && patch.get(0).isObject();
        if (!objects) {
            return mergeScalars(original, patch);
        }
        if (type.mergeKey().isEmpty()) {
            throw PatchException.doesNotApply("cannot merge lists without merge key");
        }
        List<JsonNode> plain = new ArrayList<>();
        boolean replace = false;
        for (JsonNode element : patch) {
            if (!PatchDirectives.isDirective(element)) {
                plain.add(element);
            } else if (element.get(PatchDirectives.PATCH).asText().equals("replace")) {
                replace = true;
            } else {
                delete(original, element);
            }
        }
        if (replace) {
            return plain;
        }
        List<JsonNode> serverOrder = List.copyOf(original);
        for (JsonNode element : plain) {
            mergeElement(original, (ObjectNode) element);
        }
        return new ElementOrder(type.mergeKey(), plain, serverOrder).sort(original);
    }

    private void delete(List<JsonNode> original, JsonNode element) throws PatchException {
        if (!element.get(PatchDirectives.PATCH).asText().equals("delete")) {
            throw StrategicMergePatch.unknownDirective(element);
        }
        JsonNode key = keyOf(element);
        original.removeIf(each -> NumericValueComparator.same(each.path(type.mergeKey()), key));
    }

    private void mergeElement(List<JsonNode> original, ObjectNode element) throws PatchException {
        JsonNode key = keyOf(element);
        for (int i = 0; i < original.size(); i++) {
            if (NumericValueComparator.same(original.get(i).path(type.mergeKey()), key)) {
                original.set(i, StrategicMergePatch.merge((ObjectNode) original.get(i), element, type.element()));
                return;
            }
        }
        original.add(element);
    }

    private JsonNode keyOf(JsonNode element) throws PatchException {
        return Optional.ofNullable(element.get(type.mergeKey())).orElseThrow(() -> noKey(element, type.mergeKey()));
    }

    static PatchException noKey(JsonNode element, String mergeKey) {
        return PatchException.doesNotApply(
                "map: %s does not contain declared merge key: %s".formatted(JsonPatch.shown(element), mergeKey));
    }

    private static List<JsonNode> mergeScalars(List<JsonNode> original, List<JsonNode> patch) throws PatchException {
        List<JsonNode> merged = new ArrayList<>();
        for (List<JsonNode> source : List.of(original, patch)) {
            for (JsonNode element : source) {
                if (merged.stream().noneMatch(before -> NumericValueComparator.same(before, element))) {
                    merged.add(element);
                }
            }
        }
        return new ElementOrder("", patch, original).sort(merged);
    }

    private static void requireOneKind(List<JsonNode> original, List<JsonNode> patch) throws PatchException {
        List<JsonNode> all = new ArrayList<>(original);
        all.addAll(patch);
        for (JsonNode element : all) {
            if (element.isArray() || element.getNodeType() != all.get(0).getNodeType()) {
                throw PatchException.doesNotApply("list element types are not identical: (%s) and (%s)"
                        .formatted(JsonPatch.shown(all.get(0)), JsonPatch.shown(element)));
            }
        }
    }

    static boolean contains(JsonNode list, JsonNode value) {
        for (JsonNode element : list) {
            if (NumericValueComparator.same(element, value)) {
                return true;
            }
        }
        return false;
    }

    static List<JsonNode> elements(JsonNode list) {
        List<JsonNode> elements = new ArrayList<>(list.size());
        list.forEach(elements::add);
        return elements;
    }

    static ArrayNode array(List<JsonNode> elements) {
        return JsonNodeFactory.instance.arrayNode().addAll(elements);
    }
}
