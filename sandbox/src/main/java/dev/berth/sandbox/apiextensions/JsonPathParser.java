package dev.berth.sandbox.apiextensions;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the paths that Kubernetes' own JSONPath knows. */
final class JsonPathParser {
    private static final Pattern SLICE = Pattern.compile("(-?[0-9]*):(-?[0-9]*)(:([0-9]+))?");
    private static final Pattern FILTER = Pattern.compile("\\s*(@[^=!<>]*?)\\s*((==|!=|<=|>=|<|>)\\s*(.+?)\\s*)?");

    private final String text;
    private int at;
    private final List<JsonPath.Step> steps = new ArrayList<>();

    private JsonPathParser(String text) {
        this.text = text;
    }

    static Optional<JsonPath> parse(String text) {
        JsonPathParser parser = new JsonPathParser(text.startsWith("$") ? text.substring(1) : text);
        try {
            parser.parseSteps();
            return Optional.of(new JsonPath(parser.steps));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private void parseSteps() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (text.startsWith("..", at)) {
                at += 2;
                steps.add(JsonPathParser::descendants);
                if (at < text.length() && text.charAt(at) != '[') {
                    steps.add(fieldStep(name()));
                }
            } else if (c == '.') {
                at++;
                if (at < text.length() && text.charAt(at) != '[') {
                    steps.add(fieldStep(name()));
                }
            } else if (c == '[') {
                steps.add(bracketStep(readBracket()));
            } else {
                throw new IllegalArgumentException("unexpected " + c);
            }
        }
    }

    private String name() {
        StringBuilder name = new StringBuilder();
        while (at < text.length() && text.charAt(at) != '.' && text.charAt(at) != '[') {
            if (text.charAt(at) == '\\' && at + 1 < text.length()) {
                at++;
            }
            name.append(text.charAt(at++));
        }
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a name is missing");
        }
        return name.toString();
    }

    /** The text between the brackets, which may contain nested and quoted brackets. */
    private String readBracket() {
        int start = ++at;
        int depth = 1;
        char quote = 0;
        for (; at < text.length(); at++) {
            char c = text.charAt(at);
            if (quote != 0) {
                quote = c == quote ? 0 : quote;
            } else if (c == '\'' || c == '"') {
                quote = c;
            } else if (c == '[') {
                depth++;
            } else if (c == ']' && --depth == 0) {
                return text.substring(start, at++);
            }
        }
        throw new IllegalArgumentException("a bracket is open");
    }

    private static JsonPath.Step bracketStep(String inside) {
        if (inside.startsWith("?(") && inside.endsWith(")")) {
            return filterStep(inside.substring(2, inside.length() - 1));
        }
        if (inside.equals("*")) {
            return JsonPathParser::children;
        }
        Matcher slice = SLICE.matcher(inside);
        if (slice.matches()) {
            return sliceStep(slice);
        }
        List<JsonPath.Step> parts = new ArrayList<>();
        for (String part : inside.split(",", -1)) {
            parts.add(singleStep(part.strip()));
        }
        return value ->
                parts.stream().flatMap(part -> part.apply(value).stream()).toList();
    }

    private static JsonPath.Step singleStep(String part) {
        boolean quoted = part.length() >= 2
                && (part.charAt(0) == '\'' || part.charAt(0) == '"')
                && part.charAt(part.length() - 1) == part.charAt(0);
        if (quoted) {
            return fieldStep(part.substring(1, part.length() - 1));
        }
        int index = Integer.parseInt(part);
        return value -> {
            int position = index < 0 ? value.size() + index : index;
            boolean there = value.isArray() && position >= 0 && position < value.size();
            return there ? List.of(value.get(position)) : List.of();
        };
    }

    private static JsonPath.Step sliceStep(Matcher parts) {
        return value -> {
            int size = value.isArray() ? value.size() : 0;
            int from = bound(parts.group(1), 0, size);
            int to = bound(parts.group(2), size, size);
            int step = parts.group(4) == null ? 1 : Math.max(1, Integer.parseInt(parts.group(4)));
            List<JsonNode> found = new ArrayList<>();
            for (int i = from; i < Math.min(to, size); i += step) {
                found.add(value.get(i));
            }
            return found;
        };
    }

    private static int bound(String text, int defaultValue, int size) {
        if (text.isEmpty()) {
            return defaultValue;
        }
        int number = Integer.parseInt(text);
        return Math.max(0, number < 0 ? size + number : number);
    }

    private static JsonPath.Step fieldStep(String name) {
        if (name.equals("*")) {
            return JsonPathParser::children;
        }
        return value -> value.has(name) ? List.of(value.get(name)) : List.of();
    }

    private static List<JsonNode> children(JsonNode value) {
        List<JsonNode> found = new ArrayList<>();
        if (value.isContainerNode()) {
            value.forEach(found::add);
        }
        return found;
    }

    private static List<JsonNode> descendants(JsonNode value) {
        List<JsonNode> found = new ArrayList<>(List.of(value));
        children(value).forEach(child -> found.addAll(descendants(child)));
        return found;
    }

    private static JsonPath.Step filterStep(String condition) {
        Matcher parts = FILTER.matcher(condition);
        if (!parts.matches()) {
            throw new IllegalArgumentException("no filter: " + condition);
        }
        JsonPath left = parse(parts.group(1).substring(1)).orElseThrow(() -> new IllegalArgumentException("no path"));
        if (parts.group(3) == null) {
            return value -> children(value).stream()
                    .filter(child -> left.findFirst(child).isPresent())
                    .toList();
        }
        String operator = parts.group(3);
        JsonNode right = literal(parts.group(4));
        return value -> children(value).stream()
                .filter(child -> left.findFirst(child)
                        .map(found -> compare(found, operator, right))
                        .orElse(false))
                .toList();
    }

    private static JsonNode literal(String text) {
        if (text.length() >= 2 && (text.startsWith("\"") || text.startsWith("'"))) {
            return TextNode.valueOf(text.substring(1, text.length() - 1));
        }
        if (text.equals("true") || text.equals("false")) {
            return BooleanNode.valueOf(text.equals("true"));
        }
        return DecimalNode.valueOf(new BigDecimal(text));
    }

    private static boolean compare(JsonNode left, String operator, JsonNode right) {
        boolean numbers = left.isNumber() && right.isNumber();
        int order = numbers
                ? left.decimalValue().compareTo(right.decimalValue())
                : left.asText().compareTo(right.asText());
        boolean comparable = numbers || left.getNodeType() == right.getNodeType();
        return comparable
                && switch (operator) {
                    case "==" -> order == 0;
                    case "!=" -> order != 0;
                    case "<" -> order < 0;
                    case ">" -> order > 0;
                    case "<=" -> order <= 0;
                    default -> order >= 0;
                };
    }
}
