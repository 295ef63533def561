package dev.berth.sandbox.validation.meta;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Checks the syntax of names. Each check returns the API server's messages, or an empty list for a valid name. */
public final class NameChecks {
    private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final String SUBDOMAIN = LABEL + "(\\." + LABEL + ")*";
    private static final String DNS_1035_LABEL = "[a-z]([-a-z0-9]*[a-z0-9])?";
    private static final String NAME_PART = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
    private static final String LABEL_VALUE = "(" + NAME_PART + ")?";
    private static final String CONFIG_KEY = "[-._a-zA-Z0-9]+";

    private static final Pattern LABEL_FORM = Pattern.compile(LABEL);
    private static final Pattern SUBDOMAIN_FORM = Pattern.compile(SUBDOMAIN);
    private static final Pattern DNS_1035_LABEL_FORM = Pattern.compile(DNS_1035_LABEL);
    private static final Pattern NAME_PART_FORM = Pattern.compile(NAME_PART);
    private static final Pattern LABEL_VALUE_FORM = Pattern.compile(LABEL_VALUE);
    private static final Pattern CONFIG_KEY_FORM = Pattern.compile(CONFIG_KEY);
    private static final Pattern PORT_NAME_FORM = Pattern.compile("[-a-z0-9]+");
    private static final Pattern LETTER = Pattern.compile("[a-z]");
    private static final Pattern PERCENT_FORM = Pattern.compile("[0-9]+%");

    private static final String LABEL_RULE = "a lowercase RFC 1123 label must consist of lower case alphanumeric "
            + "characters or '-', and must start and end with an alphanumeric character";
    private static final String SUBDOMAIN_RULE = "a lowercase RFC 1123 subdomain must consist of lower case "
            + "alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
    private static final String DNS_1035_LABEL_RULE =
            "a DNS-1035 label must consist of lower case alphanumeric characters "
                    + "or '-', start with an alphabetic character, and end with an alphanumeric character";
    private static final String PART_RULE = "must consist of alphanumeric characters, '-', '_' or '.', "
            + "and must start and end with an alphanumeric character";
    private static final String LABEL_VALUE_RULE = "a valid label must be an empty string or consist of alphanumeric "
            + "characters, '-', '_' or '.', and must start and end with an alphanumeric character";

    private NameChecks() {}

    /** A DNS label of at most 63 characters, without dots. */
    public static List<String> dnsLabel(String value) {
        List<String> messages = new ArrayList<>();
        limit(value, 63, messages);
        if (!LABEL_FORM.matcher(value).matches()) {
            boolean dotted = SUBDOMAIN_FORM.matcher(value).matches();
            messages.add(dotted ? "must not contain dots" : ruleMessage(LABEL_RULE, LABEL, "my-name", "123-abc"));
        }
        return messages;
    }

    /** A DNS label that starts with a letter. */
    public static List<String> dns1035Label(String value) {
        List<String> messages = new ArrayList<>();
        limit(value, 63, messages);
        if (!DNS_1035_LABEL_FORM.matcher(value).matches()) {
            messages.add(ruleMessage(DNS_1035_LABEL_RULE, DNS_1035_LABEL, "my-name", "abc-123"));
        }
        return messages;
    }

    /** DNS labels separated by dots. Most object names have this form. */
    public static List<String> dnsSubdomain(String value) {
        List<String> messages = new ArrayList<>();
        limit(value, 253, messages);
        if (!SUBDOMAIN_FORM.matcher(value).matches()) {
            messages.add(ruleMessage(SUBDOMAIN_RULE, SUBDOMAIN, "example.com"));
        }
        return messages;
    }

    /** A name that is valid as one segment of a URL path, such as the name of an RBAC object. */
    public static List<String> pathSegment(String value) {
        if (value.equals(".") || value.equals("..")) {
            return List.of("may not be '" + value + "'");
        }
        List<String> messages = new ArrayList<>();
        for (String illegal : List.of("/", "%")) {
            if (value.contains(illegal)) {
                messages.add("may not contain '" + illegal + "'");
            }
        }
        return messages;
    }

    /** The key of a label or annotation: a name with an optional domain prefix. */
    public static List<String> qualifiedName(String value) {
        String[] parts = value.split("/", -1);
        if (parts.length > 2) {
            return List.of(ruleMessage("a valid label key " + PART_RULE, NAME_PART, "MyName", "my.name", "123-abc")
                    + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
        }
        List<String> messages = new ArrayList<>();
        if (parts.length == 2) {
            if (parts[0].isEmpty()) {
                messages.add("prefix part must be non-empty");
            } else {
                dnsSubdomain(parts[0]).forEach(message -> messages.add("prefix part " + message));
            }
        }
        String name = parts[parts.length - 1];
        if (name.isEmpty()) {
            messages.add("name part must be non-empty");
        } else if (bytes(name) > 63) {
            messages.add("name part must be no more than 63 bytes");
        }
        if (!NAME_PART_FORM.matcher(name).matches()) {
            messages.add(ruleMessage("name part " + PART_RULE, NAME_PART, "MyName", "my.name", "123-abc"));
        }
        return messages;
    }

    public static List<String> labelValue(String value) {
        List<String> messages = new ArrayList<>();
        if (bytes(value) > 63) {
            messages.add("must be no more than 63 bytes");
        }
        if (!LABEL_VALUE_FORM.matcher(value).matches()) {
            messages.add(ruleMessage(LABEL_VALUE_RULE, LABEL_VALUE, "MyValue", "my_value", "12345"));
        }
        return messages;
    }

    /** A key of a ConfigMap or Secret. The key can be used as a file name. */
    public static List<String> configKey(String value) {
        List<String> messages = new ArrayList<>();
        limit(value, 253, messages);
        if (!CONFIG_KEY_FORM.matcher(value).matches()) {
            String rule = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'";
            messages.add(ruleMessage(rule, CONFIG_KEY, "key.name", "KEY_NAME", "key-name"));
        }
        if (value.equals(".") || value.equals("..")) {
            messages.add("must not be '" + value + "'");
        } else if (value.startsWith("..")) {
            messages.add("must not start with '..'");
        }
        return messages;
    }

    /** A port name of at most 15 characters. */
    public static List<String> portName(String value) {
        List<String> messages = new ArrayList<>();
        limit(value, 15, messages);
        if (!PORT_NAME_FORM.matcher(value).matches()) {
            messages.add("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
        }
        if (!LETTER.matcher(value).find()) {
            messages.add("must contain at least one letter (a-z)");
        }
        if (value.contains("--")) {
            messages.add("must not contain consecutive hyphens");
        }
        if (value.startsWith("-") || value.endsWith("-")) {
            messages.add("must not begin or end with a hyphen");
        }
        return messages;
    }

    /** A whole number followed by a percent sign. */
    public static List<String> percent(String value) {
        return PERCENT_FORM.matcher(value).matches()
                ? List.of()
                : List.of(ruleMessage(
                        "a valid percent string must be a numeric string followed by an ending '%'",
                        "[0-9]+%", "1%", "93%"));
    }

    /**
     * Adapts a name check to {@code generateName}. A hyphen at the end is allowed, because the generated suffix
     * follows.
     */
    public static Function<String, List<String>> forGenerateName(Function<String, List<String>> check) {
        return value -> check.apply(value.endsWith("-") ? value.substring(0, value.length() - 1) + "a" : value);
    }

    private static void limit(String value, int length, List<String> messages) {
        if (bytes(value) > length) {
            messages.add("must be no more than " + length + " characters");
        }
    }

    private static int bytes(String value) {
        return value.getBytes(StandardCharsets.UTF_8).length;
    }

    /** The message for a violated rule: the rule, the examples and the regular expression. */
    public static String ruleMessage(String rule, String expression, String... examples) {
        StringBuilder out = new StringBuilder(rule).append(" (");
        for (int i = 0; i < examples.length; i++) {
            out.append(i == 0 ? "e.g. " : " or ")
                    .append('\'')
                    .append(examples[i])
                    .append("', ");
        }
        return out.append("regex used for validation is '")
                .append(expression)
                .append("')")
                .toString();
    }
}
