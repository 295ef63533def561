package dev.berth.sandbox.selector;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.cluster.Requirement.Operator;
import dev.berth.sandbox.validation.field.GoFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Parses label selectors in text form, such as {@code app=web,tier in (a,b),!old}. */
final class LabelSelectorParser {

    private static final String END = "";
    private static final String OPERATORS = "in, notin, =, ==, !=, gt, lt";

    private final List<String> tokens;
    private int position;

    private LabelSelectorParser(String text) {
        this.tokens = scan(text);
    }

    /** Parses the text of a {@code labelSelector} parameter; a blank text selects everything. */
    static LabelSelector parse(String text) throws SelectorSyntaxException {
        return text.isBlank()
                ? LabelSelector.EVERYTHING
                : new LabelSelector(Labels.NONE, new LabelSelectorParser(text).requirements());
    }

    private List<Requirement> requirements() throws SelectorSyntaxException {
        List<Requirement> all = new ArrayList<>();
        while (!peek().equals(END)) {
            if (!isWord(peek()) && !peek().equals("!")) {
                throw syntaxError("found '" + peek() + "', expected: !, identifier, or 'end of string'");
            }
            all.add(requirement());
            String next = next();
            if (next.equals(END)) {
                break;
            }
            if (!next.equals(",")) {
                throw syntaxError("found '" + next + "', expected: ',' or 'end of string'");
            }
            if (!isWord(peek()) && !peek().equals("!")) {
                throw syntaxError("found '" + peek() + "', expected: identifier after ','");
            }
        }
        return all;
    }

    private Requirement requirement() throws SelectorSyntaxException {
        boolean absent = peek().equals("!");
        if (absent) {
            next();
        }
        String key = next();
        if (!isWord(key)) {
            throw syntaxError("unable to parse requirement: found '" + key + "', expected: identifier");
        }
        requireValid(LabelSelectorSyntax.keyError(key), key);
        if (peek().equals(END) || peek().equals(",")) {
            return new Requirement(key, absent ? Operator.DOES_NOT_EXIST : Operator.EXISTS, List.of());
        }
        return comparison(key);
    }

    private Requirement comparison(String key) throws SelectorSyntaxException {
        String operator = next();
        Requirement requirement = switch (operator) {
            case "in" -> new Requirement(key, Operator.IN, valueSet());
            case "notin" -> new Requirement(key, Operator.NOT_IN, valueSet());
            case "=", "==" -> new Requirement(key, Operator.IN, List.of(singleValue()));
            case "!=" -> new Requirement(key, Operator.NOT_IN, List.of(singleValue()));
            case ">" -> new Requirement(key, Operator.GT, List.of(exactValue()));
            case "<" -> new Requirement(key, Operator.LT, List.of(exactValue()));
            default ->
                throw syntaxError("unable to parse requirement: found '" + operator + "', expected: " + OPERATORS);
        };
        for (String value : requirement.values()) {
            requireValid(LabelSelectorSyntax.valueError(value), value);
        }
        return requirement;
    }

    private String exactValue() throws SelectorSyntaxException {
        String value = singleValue();
        try {
            Long.parseLong(value);
        } catch (NumberFormatException notWhole) {
            requireValid(Optional.of("for 'Gt', 'Lt' operators, the value must be an integer"), value);
        }
        return value;
    }

    private String singleValue() throws SelectorSyntaxException {
        if (peek().equals(END) || peek().equals(",")) {
            return "";
        }
        String value = next();
        if (!isWord(value)) {
            throw syntaxError("unable to parse requirement: found '" + value + "', expected: identifier");
        }
        return value;
    }

    private List<String> valueSet() throws SelectorSyntaxException {
        if (!peek().equals("(")) {
            throw syntaxError("unable to parse requirement: found '" + next() + "' expected: '('");
        }
        next();
        TreeSet<String> values = new TreeSet<>();
        String value = "";
        for (String token = next(); ; token = next()) {
            if (token.equals(")") || token.equals(",")) {
                values.add(value);
                value = "";
                if (token.equals(")")) {
                    return List.copyOf(values);
                }
            } else if (isWord(token) && value.isEmpty()) {
                value = token;
            } else {
                throw syntaxError("unable to parse requirement: found '" + token + "', expected: ',' or ')'");
            }
        }
    }

    private String peek() {
        return tokens.get(Math.min(position, tokens.size() - 1));
    }

    private String next() {
        String token = peek();
        position++;
        return token;
    }

    private static boolean isWord(String token) {
        return !token.isEmpty() && !isSpecial(token.charAt(0));
    }

    private static boolean isSpecial(char c) {
        return "=!(),<>".indexOf(c) >= 0;
    }

    private static List<String> scan(String text) {
        List<String> tokens = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            int end = at + 1;
            if (Character.isWhitespace(c)) {
                at = end;
                continue;
            }
            if (text.startsWith("==", at) || text.startsWith("!=", at)) {
                end = at + 2;
            } else if (!isSpecial(c)) {
                while (end < text.length()
                        && !isSpecial(text.charAt(end))
                        && !Character.isWhitespace(text.charAt(end))) {
                    end++;
                }
            }
            tokens.add(text.substring(at, end));
            at = end;
        }
        tokens.add(END);
        return tokens;
    }

    private static void requireValid(Optional<String> fault, String value) throws SelectorSyntaxException {
        if (fault.isPresent()) {
            throw syntaxError(
                    "unable to parse requirement: <nil>: Invalid value: " + GoFormat.quote(value) + ": " + fault.get());
        }
    }

    private static SelectorSyntaxException syntaxError(String message) {
        return new SelectorSyntaxException(message);
    }
}
