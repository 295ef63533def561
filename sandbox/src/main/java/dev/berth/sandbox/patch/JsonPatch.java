package dev.berth.sandbox.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** JSON Patch, RFC 6902: a list of operations, all of them or none. */
public final class JsonPatch {

    /** The limit of the real server. */
    private static final int MAX_OPERATIONS = 10_000;

    private final List<Operation> operations;

    private JsonPatch(List<Operation> operations) {
        this.operations = operations;
    }

    /** Parses a patch, and rejects missing members and unknown operations. */
    public static JsonPatch parse(JsonNode patch) throws PatchException {
        if (!patch.isArray()) {
            throw PatchException.malformed(
                    "a JSON patch is an array of operations, this is (%s)".formatted(shown(patch)));
        }
        if (patch.size() > MAX_OPERATIONS) {
            throw PatchException.malformed("The allowed maximum operations in a JSON patch is %d, got %d"
                    .formatted(MAX_OPERATIONS, patch.size()));
        }
        List<Operation> operations = new ArrayList<>();
        for (JsonNode operation : patch) {
            operations.add(Operation.parse(operation));
        }
        return new JsonPatch(operations);
    }

    /** The patched document; the argument is not changed. */
    public JsonNode apply(JsonNode document) throws PatchException {
        JsonNode result = document.deepCopy();
        for (Operation operation : operations) {
            result = operation.apply(result);
        }
        return result;
    }

    static String shown(JsonNode node) {
        String text = node.toString();
        return text.length() <= 100 ? text : text.substring(0, 100) + "...";
    }

    private enum Op {
        ADD,
        REMOVE,
        REPLACE,
        MOVE,
        COPY,
        TEST;

        static final Map<String, Op> BY_NAME =
                Map.of("add", ADD, "remove", REMOVE, "replace", REPLACE, "move", MOVE, "copy", COPY, "test", TEST);

        boolean hasValue() {
            return this == ADD || this == REPLACE || this == TEST;
        }

        boolean hasFrom() {
            return this == MOVE || this == COPY;
        }
    }

    /** One operation; {@code from} is the path itself where the operation has none, {@code value} the operation itself. */
    private record Operation(Op op, Pointer path, Pointer from, JsonNode value) {

        static Operation parse(JsonNode operation) throws PatchException {
            String name = text(operation, "op");
            Op op = Op.BY_NAME.get(name);
            if (op == null) {
                throw PatchException.malformed(
                        "operation (%s) of a JSON patch is unknown; use add, remove, replace, move, copy or test"
                                .formatted(name));
            }
            Pointer path = Pointer.parse(text(operation, "path"));
            JsonNode value = operation.get("value");
            if (op.hasValue() && value == null) {
                throw PatchException.malformed(
                        "operation (%s) of a JSON patch has no value".formatted(shown(operation)));
            }
            Pointer from = op.hasFrom() ? Pointer.parse(text(operation, "from")) : path;
            return new Operation(op, path, from, value == null ? operation : value);
        }

        private static String text(JsonNode operation, String member) throws PatchException {
            JsonNode value = operation.get(member);
            if (value == null || !value.isTextual()) {
                throw PatchException.malformed(
                        "operation (%s) of a JSON patch has no text as (%s)".formatted(shown(operation), member));
            }
            return value.textValue();
        }

        JsonNode apply(JsonNode document) throws PatchException {
            return switch (op) {
                case ADD -> add(document, path, value.deepCopy());
                case REMOVE -> {
                    remove(document, path);
                    yield document;
                }
                case REPLACE -> replace(document);
                case MOVE -> move(document);
                case COPY -> add(document, path, existing(document, from).deepCopy());
                case TEST -> test(document);
            };
        }

        private JsonNode add(JsonNode document, Pointer at, JsonNode added) throws PatchException {
            if (at.isRoot()) {
                return added;
            }
            JsonNode parent = at.findParent(document).orElseThrow(() -> missing(at));
            if (parent instanceof ObjectNode object) {
                object.set(at.last(), added);
            } else if (parent instanceof ArrayNode array) {
                array.insert(at.last().equals("-") ? array.size() : index(at, array.size()), added);
            } else {
                throw missing(at);
            }
            return document;
        }

        private void remove(JsonNode document, Pointer at) throws PatchException {
            existing(document, at);
            JsonNode parent = at.isRoot() ? document : at.findParent(document).orElseThrow(() -> missing(at));
            if (at.isRoot()) {
                throw PatchException.doesNotApply(
                        "%s operation does not apply: the whole object cannot be removed".formatted(name()));
            } else if (parent instanceof ObjectNode object) {
                object.remove(at.last());
            } else if (parent instanceof ArrayNode array) {
                array.remove(index(at, array.size() - 1));
            }
        }

        private JsonNode replace(JsonNode document) throws PatchException {
            existing(document, path);
            if (path.isRoot()) {
                return value.deepCopy();
            }
            JsonNode parent = path.findParent(document).orElseThrow(() -> missing(path));
            if (parent instanceof ObjectNode object) {
                object.set(path.last(), value.deepCopy());
            } else if (parent instanceof ArrayNode array) {
                array.set(index(path, array.size() - 1), value.deepCopy());
            }
            return document;
        }

        private JsonNode move(JsonNode document) throws PatchException {
            JsonNode moved = existing(document, from);
            if (from.equals(path)) {
                return document;
            }
            if (from.contains(path)) {
                throw PatchException.doesNotApply(
                        "move operation does not apply: (%s) cannot be moved into itself at (%s)"
                                .formatted(from.text(), path.text()));
            }
            remove(document, from);
            return add(document, path, moved);
        }

        private JsonNode test(JsonNode document) throws PatchException {
            JsonNode found = path.find(document).orElseThrow(() -> missing(path));
            if (!NumericValueComparator.same(found, value)) {
                throw PatchException.doesNotApply("testing value %s failed: it is (%s), not (%s)"
                        .formatted(path.text(), shown(found), shown(value)));
            }
            return document;
        }

        private JsonNode existing(JsonNode document, Pointer at) throws PatchException {
            return at.find(document).orElseThrow(() -> missing(at));
        }

        private int index(Pointer at, int max) throws PatchException {
            int index = Pointer.index(at.last());
            if (index < 0 || index > max) {
                throw PatchException.doesNotApply(
                        "%s operation does not apply: index (%s) of (%s) is not between 0 and %d"
                                .formatted(name(), at.last(), at.text(), max));
            }
            return index;
        }

        private PatchException missing(Pointer at) {
            return PatchException.doesNotApply(
                    "%s operation does not apply: doc is missing path: %s: missing value".formatted(name(), at.text()));
        }

        private String name() {
            return op.name().toLowerCase(Locale.ROOT);
        }
    }
}
