package dev.berth.sandbox.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A JSON Pointer, RFC 6901: the steps from a document to one of its values. */
record Pointer(String text, List<String> steps) {

    Pointer {
        steps = List.copyOf(steps);
    }

    static Pointer parse(String text) throws PatchException {
        List<String> steps = new ArrayList<>();
        if (text.isEmpty()) {
            return new Pointer(text, steps);
        }
        if (text.charAt(0) != '/') {
            throw PatchException.malformed("path (%s) of a JSON patch does not start with a slash".formatted(text));
        }
        int from = 1;
        while (from <= text.length()) {
            int slash = text.indexOf('/', from);
            int end = slash < 0 ? text.length() : slash;
            steps.add(unescape(text, text.substring(from, end)));
            from = end + 1;
        }
        return new Pointer(text, steps);
    }

    private static String unescape(String whole, String step) throws PatchException {
        for (int i = step.indexOf('~'); i >= 0; i = step.indexOf('~', i + 1)) {
            if (i + 1 == step.length() || (step.charAt(i + 1) != '0' && step.charAt(i + 1) != '1')) {
                throw PatchException.malformed(
                        "path (%s) of a JSON patch has a bare tilde; write ~0 for ~ and ~1 for /".formatted(whole));
            }
        }
        return step.replace("~1", "/").replace("~0", "~");
    }

    boolean isRoot() {
        return steps.isEmpty();
    }

    String last() {
        return steps.get(steps.size() - 1);
    }

    /** Whether the other is this or below it. */
    boolean contains(Pointer other) {
        return other.steps.size() >= steps.size()
                && other.steps.subList(0, steps.size()).equals(steps);
    }

    /** The value it leads to. */
    Optional<JsonNode> find(JsonNode document) {
        return walk(document, steps.size());
    }

    /** What holds the value it leads to, or would hold it. */
    Optional<JsonNode> findParent(JsonNode document) {
        return walk(document, steps.size() - 1);
    }

    private Optional<JsonNode> walk(JsonNode document, int count) {
        @Nullable JsonNode current = document;
        for (int i = 0; i < count && current != null; i++) {
            current = child(current, steps.get(i));
        }
        return Optional.ofNullable(current);
    }

    private static @Nullable JsonNode child(JsonNode parent, String step) {
        if (parent instanceof ObjectNode object) {
            return object.get(step);
        }
        if (parent instanceof ArrayNode array) {
            int index = index(step);
            return index < 0 ? null : array.get(index);
        }
        return null;
    }

    /** The index a step names, or -1 when it names none. */
    static int index(String step) {
        boolean plain = !step.isEmpty()
                && step.length() <= 9
                && step.chars().allMatch(c -> c >= '0' && c <= '9')
                && (step.length() == 1 || step.charAt(0) != '0');
        return plain ? Integer.parseInt(step) : -1;
    }
}
