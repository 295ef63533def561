package dev.berth.sandbox.selector;

import java.util.Optional;
import java.util.regex.Pattern;

/** What may stand as a key or value of a label in a selector; the sentences are the API server's. */
final class LabelSelectorSyntax {

    private static final Pattern NAME = Pattern.compile("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]");
    private static final Pattern SUBDOMAIN =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
    private static final int MAX_NAME_LENGTH = 63;
    private static final int MAX_PREFIX_LENGTH = 253;

    private LabelSelectorSyntax() {}

    /** What is wrong with a key, if anything. */
    static Optional<String> keyError(String key) {
        int slash = key.indexOf('/');
        String name = key.substring(slash + 1);
        if (slash >= 0) {
            String prefix = key.substring(0, slash);
            if (prefix.isEmpty()) {
                return Optional.of("prefix part must be non-empty");
            }
            if (prefix.length() > MAX_PREFIX_LENGTH
                    || !SUBDOMAIN.matcher(prefix).matches()) {
                return Optional.of("prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric"
                        + " characters, '-' or '.', and must start and end with an alphanumeric character (e.g."
                        + " 'example.com', regex used for validation is"
                        + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')");
            }
        }
        if (name.isEmpty()) {
            return Optional.of("name part must be non-empty");
        }
        if (name.length() > MAX_NAME_LENGTH) {
            return Optional.of("name part must be no more than 63 bytes");
        }
        return NAME.matcher(name).matches()
                ? Optional.empty()
                : Optional.of("name part must consist of alphanumeric characters, '-', '_' or '.', and must start and"
                        + " end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex"
                        + " used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')");
    }

    /** What is wrong with a value, if anything. */
    static Optional<String> valueError(String value) {
        if (value.length() > MAX_NAME_LENGTH) {
            return Optional.of("must be no more than 63 bytes");
        }
        return value.isEmpty() || NAME.matcher(value).matches()
                ? Optional.empty()
                : Optional.of("a valid label must be an empty string or consist of alphanumeric characters, '-', '_'"
                        + " or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or"
                        + " 'my_value',  or '12345', regex used for validation is"
                        + " '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')");
    }
}
