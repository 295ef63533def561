package dev.berth.sandbox.validation.field;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Formats values as the API server does: strings quoted, numbers plain, everything else as compact JSON. */
public final class GoFormat {
    /** The value that error messages show for an absent field. */
    public static final JsonNode NULL = NullNode.getInstance();

    private GoFormat() {}

    public static JsonNode node(String text) {
        return TextNode.valueOf(text);
    }

    public static JsonNode node(long number) {
        return number == (int) number ? IntNode.valueOf((int) number) : LongNode.valueOf(number);
    }

    /**
     * Converts an object to the form in which the API server prints a Go struct, with capitalized field names.
     *
     * @param texts the string fields, which are empty if absent
     * @param nullable the fields after them, which are null if absent
     */
    public static JsonNode goStruct(JsonNode object, List<String> texts, String... nullable) {
        ObjectNode printed = JsonNodeFactory.instance.objectNode();
        for (String name : texts) {
            printed.put(name, object.path(lower(name)).asText(""));
        }
        for (String name : nullable) {
            JsonNode value = object.path(lower(name));
            printed.set(name, value.isMissingNode() ? NULL : value);
        }
        return printed;
    }

    private static String lower(String name) {
        return name.startsWith("API")
                ? "api" + name.substring(3)
                : Character.toLowerCase(name.charAt(0)) + name.substring(1);
    }

    /** The value as shown after "Invalid value:". */
    public static String format(JsonNode value) {
        return value.isTextual() ? quote(value.textValue()) : value.toString();
    }

    /** The value as Go formats maps and slices with {@code %v}: {@code map[a:1 b:[x y]]}. */
    public static String formatMap(JsonNode value) {
        if (value.isObject()) {
            return value.properties().stream()
                    .sorted(Map.Entry.comparingByKey())
                    .map(each -> each.getKey() + ":" + formatMap(each.getValue()))
                    .collect(Collectors.joining(" ", "map[", "]"));
        }
        if (value.isArray()) {
            return StreamSupport.stream(value.spliterator(), false)
                    .map(GoFormat::formatMap)
                    .collect(Collectors.joining(" ", "[", "]"));
        }
        return value.isNull() ? "<nil>" : value.asText();
    }

    /** The text in double quotes, with unprintable characters escaped, like Go's {@code strconv.Quote}. */
    public static String quote(String text) {
        StringBuilder out = new StringBuilder(text.length() + 2).append('"');
        text.codePoints().forEach(c -> quote(out, c));
        return out.append('"').toString();
    }

    private static void quote(StringBuilder out, int c) {
        switch (c) {
            case '"' -> out.append("\\\"");
            case '\\' -> out.append("\\\\");
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            case 7 -> out.append("\\a");
            case '\b' -> out.append("\\b");
            case '\f' -> out.append("\\f");
            case 11 -> out.append("\\v");
            default -> {
                if (printable(c)) {
                    out.appendCodePoint(c);
                } else {
                    out.append(escape(c));
                }
            }
        }
    }

    private static String escape(int c) {
        if (c < 0x20 || c == 0x7f) {
            return String.format(Locale.ROOT, "\\x%02x", c);
        }
        return String.format(Locale.ROOT, c < 0x10000 ? "\\u%04x" : "\\U%08x", c);
    }

    private static boolean printable(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            case Character.SPACE_SEPARATOR -> c == ' ';
            default -> true;
        };
    }
}
