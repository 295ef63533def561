package dev.berth.sandbox.validation.field;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.TreeSet;

/** Describes the differences of two objects: for each changed field, a line with the old and one with the new value. */
public final class ObjectDiff {
    private ObjectDiff() {}

    /** The lines, each with a line end; empty if the objects are equal. */
    public static String diff(JsonNode before, JsonNode after) {
        StringBuilder out = new StringBuilder();
        compare(FieldPath.ROOT, before, after, out);
        return out.toString();
    }

    private static void compare(FieldPath path, JsonNode before, JsonNode after, StringBuilder out) {
        if (before.equals(after)) {
            return;
        }
        if (before.isObject() && after.isObject()) {
            TreeSet<String> names = new TreeSet<>();
            before.fieldNames().forEachRemaining(names::add);
            after.fieldNames().forEachRemaining(names::add);
            names.forEach(name -> compare(path.child(name), before.path(name), after.path(name), out));
        } else if (before.isArray() && after.isArray() && before.size() == after.size()) {
            for (int i = 0; i < before.size(); i++) {
                compare(path.index(i), before.get(i), after.get(i), out);
            }
        } else {
            line(out, '-', path, before);
            line(out, '+', path, after);
        }
    }

    private static void line(StringBuilder out, char sign, FieldPath path, JsonNode value) {
        if (!value.isMissingNode()) {
            out.append(sign).append(' ').append(path).append(": ").append(value).append('\n');
        }
    }
}
