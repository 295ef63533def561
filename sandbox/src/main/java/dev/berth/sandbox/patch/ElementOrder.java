package dev.berth.sandbox.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * In which order the elements of a merged list stand: those the patch speaks of in the patch's order, the others in the server's, and
 * between the two the server's order decides where it knows both.
 */
final class ElementOrder {

    private final String mergeKey;
    private final List<JsonNode> patchOrder;
    private final List<JsonNode> serverOrder;

    /** The merge key is empty for lists of scalars. */
    ElementOrder(String mergeKey, List<JsonNode> patchOrder, List<JsonNode> serverOrder) {
        this.mergeKey = mergeKey;
        this.patchOrder = patchOrder;
        this.serverOrder = serverOrder;
    }

    /** Obeys {@code $setElementOrder/field}: takes it and the field out of the patch, and leaves the merged list in the original. */
    static void apply(ObjectNode original, ObjectNode patch, String directive, PatchMeta owner) throws PatchException {
        JsonNode order = patch.remove(directive);
        String field = PatchDirectives.fieldOf(directive, PatchDirectives.SET_ELEMENT_ORDER);
        Optional<ArrayNode> before = list(original, field);
        Optional<ArrayNode> change = list(patch, field);
        if (!order.isArray()) {
            throw badOrder("(" + JsonPatch.shown(order) + ") is not a list");
        }
        if (before.isEmpty() && change.isEmpty()) {
            return;
        }
        PatchMeta type = owner.member(field);
        requireOrder(change, order, type.mergeKey());
        patch.remove(field);
        List<JsonNode> server = before.map(ListMerge::elements).orElseGet(ArrayList::new);
        int known = server.size();
        List<JsonNode> merged = before.isEmpty()
                ? ListMerge.elements(PatchDirectives.withoutDirectives(change.orElseThrow()))
                : merged(server, change, type);
        // As in the real server, whose list has the new elements already in the places of deleted ones.
        List<JsonNode> serverOrder = List.copyOf(server.subList(0, Math.min(known, server.size())));
        ElementOrder elements = new ElementOrder(type.mergeKey(), ListMerge.elements(order), serverOrder);
        original.set(field, ListMerge.array(elements.sort(merged)));
    }

    private static List<JsonNode> merged(List<JsonNode> server, Optional<ArrayNode> change, PatchMeta type)
            throws PatchException {
        return change.isEmpty() ? server : ListMerge.merge(server, ListMerge.elements(change.get()), type);
    }

    private static Optional<ArrayNode> list(ObjectNode object, String field) throws PatchException {
        JsonNode value = object.get(field);
        if (value == null || value.isNull()) {
            return Optional.empty();
        }
        if (value instanceof ArrayNode array) {
            return Optional.of(array);
        }
        throw badOrder("field (" + field + ") is not a list");
    }

    /** What a patch adds or changes must come in the order it asks for. */
    private static void requireOrder(Optional<ArrayNode> change, JsonNode order, String mergeKey)
            throws PatchException {
        if (change.isEmpty() || order.isEmpty()) {
            return;
        }
        int at = 0;
        for (JsonNode element : change.get()) {
            if (PatchDirectives.isDirective(element)) {
                continue;
            }
            while (at < order.size() && !same(element, order.get(at), mergeKey)) {
                at++;
            }
            if (at++ >= order.size()) {
                throw PatchException.doesNotApply("The order in patch list: %s doesn't match %s list: %s"
                        .formatted(
                                JsonPatch.shown(change.get()),
                                PatchDirectives.SET_ELEMENT_ORDER,
                                JsonPatch.shown(order)));
            }
        }
    }

    /** The elements in order. */
    List<JsonNode> sort(List<JsonNode> elements) throws PatchException {
        List<JsonNode> named = new ArrayList<>();
        List<JsonNode> others = new ArrayList<>();
        for (JsonNode element : elements) {
            if (!mergeKey.isEmpty() && !element.has(mergeKey)) {
                throw ListMerge.noKey(element, mergeKey);
            }
            (index(patchOrder, element) >= 0 ? named : others).add(element);
        }
        named.sort(Comparator.comparingInt(element -> index(patchOrder, element)));
        others.sort(Comparator.comparingInt(element -> index(serverOrder, element)));
        return interleave(others, named);
    }

    private List<JsonNode> interleave(List<JsonNode> others, List<JsonNode> named) {
        List<JsonNode> all = new ArrayList<>(others.size() + named.size());
        int i = 0;
        int j = 0;
        while (i < others.size() && j < named.size()) {
            int other = index(serverOrder, others.get(i));
            int name = index(serverOrder, named.get(j));
            boolean otherFirst = other >= 0 && name >= 0 && other < name;
            all.add(otherFirst ? others.get(i++) : named.get(j++));
        }
        all.addAll(others.subList(i, others.size()));
        all.addAll(named.subList(j, named.size()));
        return all;
    }

    private int index(List<JsonNode> order, JsonNode element) {
        for (int i = 0; i < order.size(); i++) {
            if (same(order.get(i), element, mergeKey)) {
                return i;
            }
        }
        return -1;
    }

    private static boolean same(JsonNode left, JsonNode right, String mergeKey) {
        return mergeKey.isEmpty()
                ? NumericValueComparator.same(left, right)
                : NumericValueComparator.same(left.path(mergeKey), right.path(mergeKey));
    }

    private static PatchException badOrder(String why) {
        return PatchException.malformed("invalid patch format of setElementOrder list: %s".formatted(why));
    }
}
