package dev.berth.sandbox.selector;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A field selector. An object matches if all terms hold, so a selector without terms matches everything. */
public record FieldSelector(List<Term> terms) {

    public static final FieldSelector EVERYTHING = new FieldSelector(List.of());

    /** A term that requires a field to have the value, or not to have the value. */
    public record Term(String field, String value, boolean equal) {}

    public FieldSelector {
        terms = List.copyOf(terms);
    }

    /** Parses a {@code fieldSelector} parameter, for example {@code a=1,b!=2}. */
    public static FieldSelector parse(String text) throws SelectorSyntaxException {
        List<Term> terms = new ArrayList<>();
        for (String part : split(text)) {
            if (!part.isEmpty()) {
                terms.add(term(text, part));
            }
        }
        return new FieldSelector(terms);
    }

    /** The value that the selector requires for the field, if any. */
    public Optional<String> requiredValue(String field) {
        return terms.stream()
                .filter(each -> each.equal() && each.field().equals(field))
                .map(Term::value)
                .findFirst();
    }

    private static Term term(String selector, String part) throws SelectorSyntaxException {
        for (int at = 0; at < part.length(); at++) {
            if (part.charAt(at) == '\\') {
                at++;
            } else if (part.startsWith("!=", at)) {
                return new Term(part.substring(0, at), unescape(part.substring(at + 2)), false);
            } else if (part.startsWith("==", at)) {
                return new Term(part.substring(0, at), unescape(part.substring(at + 2)), true);
            } else if (part.charAt(at) == '=') {
                return new Term(part.substring(0, at), unescape(part.substring(at + 1)), true);
            }
        }
        throw new SelectorSyntaxException("invalid selector: '" + selector + "'; can't understand '" + part + "'");
    }

    private static List<String> split(String text) {
        List<String> parts = new ArrayList<>();
        int from = 0;
        for (int at = 0; at < text.length(); at++) {
            if (text.charAt(at) == '\\') {
                at++;
            } else if (text.charAt(at) == ',') {
                parts.add(text.substring(from, at));
                from = at + 1;
            }
        }
        parts.add(text.substring(from));
        return parts;
    }

    private static String unescape(String value) throws SelectorSyntaxException {
        if (value.indexOf('\\') < 0 && value.indexOf('=') < 0) {
            return value;
        }
        StringBuilder plain = new StringBuilder();
        for (int at = 0; at < value.length(); at++) {
            char c = value.charAt(at);
            if (c == '=') {
                throw new SelectorSyntaxException("invalid field selector: unescaped character in value: =");
            }
            if (c == '\\') {
                at++;
                if (at == value.length() || "\\,=".indexOf(value.charAt(at)) < 0) {
                    String sequence = value.substring(at - 1, Math.min(at + 1, value.length()));
                    throw new SelectorSyntaxException("invalid field selector: invalid escape sequence: " + sequence);
                }
                c = value.charAt(at);
            }
            plain.append(c);
        }
        return plain.toString();
    }
}
