package dev.berth.embedded.rest.select;

import dev.berth.embedded.rest.select.Requirement.Operator;
import dev.berth.embedded.validation.GoText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Reads the text form of label selectors: {@code app=web,tier in (a,b),!old}. */
final class LabelSelectorParser {

    private static final String END = "";
    private static final String OPERATORS = "in, notin, =, ==, !=, gt, lt";

    private final List<String> tokens;
    private int position;

    private LabelSelectorParser(String text) {
        this.tokens = scan(text);
    }

    /** The requirements of the text, all of which must hold. */
    static List<Requirement> parse(String text) throws SelectorSyntaxException {
        return new LabelSelectorParser(text).requirements();
    }

    private List<Requirement> requirements() throws SelectorSyntaxException {
        List<Requirement> all = new ArrayList<>();
        while (!peek().equals(END)) {
            if (!isWord(peek()) && !peek().equals("!")) {
                throw fault("found '" + peek() + "', expected: !, identifier, or 'end of string'");
            }
            all.add(requirement());
            String next = take();
            if (next.equals(END)) {
                break;
            }
            if (!next.equals(",")) {
                throw fault("found '" + next + "', expected: ',' or 'end of string'");
            }
            if (!isWord(peek()) && !peek().equals("!")) {
                throw fault("found '" + peek() + "', expected: identifier after ','");
            }
        }
        return all;
    }

    private Requirement requirement() throws SelectorSyntaxException {
        boolean absent = peek().equals("!");
        if (absent) {
            take();
        }
        String key = take();
        if (!isWord(key)) {
            throw fault("unable to parse requirement: found '" + key + "', expected: identifier");
        }
        refuse(LabelSyntax.fault(key), key);
        if (peek().equals(END) || peek().equals(",")) {
            return new Requirement(key, absent ? Operator.DOES_NOT_EXIST : Operator.EXISTS, List.of());
        }
        return comparison(key);
    }

    private Requirement comparison(String key) throws SelectorSyntaxException {
        String operator = take();
        Requirement requirement = switch (operator) {
            case "in" -> new Requirement(key, Operator.IN, set());
            case "notin" -> new Requirement(key, Operator.NOT_IN, set());
            case "=", "==" -> new Requirement(key, Operator.IN, List.of(single()));
            case "!=" -> new Requirement(key, Operator.NOT_IN, List.of(single()));
            case ">" -> new Requirement(key, Operator.GREATER_THAN, List.of(whole()));
            case "<" -> new Requirement(key, Operator.LESS_THAN, List.of(whole()));
            default -> throw fault("unable to parse requirement: found '" + operator + "', expected: " + OPERATORS);
        };
        for (String value : requirement.values()) {
            refuse(LabelSyntax.faultOfValue(value), value);
        }
        return requirement;
    }

    private String whole() throws SelectorSyntaxException {
        String value = single();
        try {
            Long.parseLong(value);
        } catch (NumberFormatException notWhole) {
            refuse(Optional.of("for 'Gt', 'Lt' operators, the value must be an integer"), value);
        }
        return value;
    }

    private String single() throws SelectorSyntaxException {
        if (peek().equals(END) || peek().equals(",")) {
            return "";
        }
        String value = take();
        if (!isWord(value)) {
            throw fault("unable to parse requirement: found '" + value + "', expected: identifier");
        }
        return value;
    }

    private List<String> set() throws SelectorSyntaxException {
        if (!peek().equals("(")) {
            throw fault("unable to parse requirement: found '" + take() + "' expected: '('");
        }
        take();
        TreeSet<String> values = new TreeSet<>();
        String value = "";
        for (String token = take(); ; token = take()) {
            if (token.equals(")") || token.equals(",")) {
                values.add(value);
                value = "";
                if (token.equals(")")) {
                    return List.copyOf(values);
                }
            } else if (isWord(token) && value.isEmpty()) {
                value = token;
            } else {
                throw fault("unable to parse requirement: found '" + token + "', expected: ',' or ')'");
            }
        }
    }

    private String peek() {
        return tokens.get(Math.min(position, tokens.size() - 1));
    }

    private String take() {
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

    private static void refuse(Optional<String> fault, String value) throws SelectorSyntaxException {
        if (fault.isPresent()) {
            throw fault(
                    "unable to parse requirement: <nil>: Invalid value: " + GoText.quote(value) + ": " + fault.get());
        }
    }

    private static SelectorSyntaxException fault(String message) {
        return new SelectorSyntaxException(message);
    }
}
