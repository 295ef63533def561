package dev.berth.core.door.reservation;

import java.util.List;

/**
 * Fields of a reservation's template that Kubernetes does not have: mostly typos.
 *
 * @param first the paths of the first ones, see {@link #path}
 * @param count how many there are, those among them
 */
public record UnknownFields(List<String> first, int count) {
    /** So many are named. */
    public static final int MOST_NAMED = 5;

    public static final UnknownFields NONE = new UnknownFields(List.of(), 0);

    private static final int LONGEST_NAME = 50;
    /** The known types are nested no deeper. */
    private static final int LONGEST_PARENT = 160;

    private static final String CUT = "...";

    public UnknownFields {
        first = List.copyOf(first);
        if (first.size() > MOST_NAMED || count < first.size() || (count > 0 && first.isEmpty())) {
            throw new IllegalArgumentException("(%d) fields of which (%s) are the first".formatted(count, first));
        }
    }

    /** The path of a field as messages have it: any author can write any name, and of any length. */
    public static String path(String parent, String name) {
        return cut(parent, LONGEST_PARENT) + "." + cut(name, LONGEST_NAME);
    }

    private static String cut(String text, int longest) {
        String shortened = text.length() <= longest ? text : text.substring(0, longest - CUT.length()) + CUT;
        StringBuilder plain = new StringBuilder(shortened.length());
        shortened.chars().forEach(letter -> plain.append(letter >= ' ' && letter <= '~' ? (char) letter : '?'));
        return plain.toString();
    }

    boolean isEmpty() {
        return count == 0;
    }

    String message() {
        String more = count > first.size() ? " and %d more".formatted(count - first.size()) : "";
        return "Berth ignores fields of the template that Kubernetes 1.36 does not have: %s%s. Correct their names, or remove them"
                .formatted(String.join(", ", first), more);
    }
}
