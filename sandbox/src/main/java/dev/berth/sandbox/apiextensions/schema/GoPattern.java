package dev.berth.sandbox.apiextensions.schema;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Regular expressions in the syntax of Go. The few differences from Java are translated;
 * what Go does not know (look around, back references, possessive quantifiers) is rejected.
 */
public final class GoPattern {
    private static final Pattern UNSUPPORTED =
            Pattern.compile("\\(\\?(=|!|<=|<!|>)|(?<!\\\\)(\\\\\\\\)*\\\\([1-9]|k<|G|Z)|[*+?}]\\+");

    private final Pattern pattern;

    private GoPattern(Pattern pattern) {
        this.pattern = pattern;
    }

    /** The pattern; empty when Go rejects the text. */
    public static Optional<GoPattern> compile(String text) {
        if (UNSUPPORTED.matcher(text).find()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new GoPattern(Pattern.compile(translate(text))));
        } catch (PatternSyntaxException e) {
            return Optional.empty();
        }
    }

    /** Why Go rejects the text, in a message close to that of Go. */
    static String errorMessage(String text) {
        Matcher foreign = UNSUPPORTED.matcher(text);
        if (foreign.find()) {
            return "error parsing regexp: invalid or unsupported Perl syntax: `" + foreign.group() + "`";
        }
        try {
            Pattern.compile(translate(text));
            return "";
        } catch (PatternSyntaxException e) {
            boolean open = e.getDescription().startsWith("Unclosed group");
            return "error parsing regexp: " + (open ? "missing closing )" : e.getDescription()) + ": `" + text + "`";
        }
    }

    /** Whether the pattern occurs anywhere in the text, as in Go. */
    boolean matches(String text) {
        return pattern.matcher(text).find();
    }

    private static String translate(String text) {
        String named = text.replace("(?P<", "(?<").replace("[:alpha:]", "\\p{Alpha}");
        return replaceEndAnchor(named.replace("[:digit:]", "\\p{Digit}")
                .replace("[:alnum:]", "\\p{Alnum}")
                .replace("[:upper:]", "\\p{Upper}")
                .replace("[:lower:]", "\\p{Lower}")
                .replace("[:space:]", "\\s")
                .replace("[:word:]", "\\w"));
    }

    /** In Go a dollar sign matches only the end of the text. In Java a last line feed may follow. */
    private static String replaceEndAnchor(String text) {
        StringBuilder out = new StringBuilder(text.length() + 4);
        boolean inClass = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && i + 1 < text.length()) {
                char next = text.charAt(++i);
                out.append('\\').append(next == 'z' ? 'z' : next);
                continue;
            }
            inClass = (inClass || c == '[') && c != ']';
            out.append(c == '$' && !inClass ? "\\z" : Character.toString(c));
        }
        return out.toString();
    }
}
