package dev.berth.core.door.koordinator;

import dev.berth.core.text.ForeignText;
import dev.berth.core.text.NameList;
import java.util.List;

/**
 * Fields of a reservation's template that Kubernetes does not have, usually typos.
 *
 * @param first the paths of the first ones, see {@link #path}
 * @param count the number of all of them
 */
public record UnknownFields(List<String> first, int count) {
    /** The number of fields that messages name. */
    public static final int MAX_NAMED = 5;

    public static final UnknownFields NONE = new UnknownFields(List.of(), 0);

    private static final int MAX_NAME_LENGTH = 50;
    /** The known types are not nested more deeply. */
    private static final int MAX_PARENT_LENGTH = 160;

    public UnknownFields {
        first = List.copyOf(first);
        if (first.size() > MAX_NAMED || count < first.size() || (count > 0 && first.isEmpty())) {
            throw new IllegalArgumentException(
                    "count (%d) does not match the named fields (%s)".formatted(count, first));
        }
    }

    /** The path of a field for messages. Users can write any name of any length, so it is limited. */
    public static String path(String parent, String name) {
        return truncate(parent, MAX_PARENT_LENGTH) + "." + truncate(name, MAX_NAME_LENGTH);
    }

    private static String truncate(String text, int longest) {
        String shortened = ForeignText.truncateToFit(text, longest);
        StringBuilder plain = new StringBuilder(shortened.length());
        shortened.chars().forEach(letter -> plain.append(letter >= ' ' && letter <= '~' ? (char) letter : '?'));
        return plain.toString();
    }

    boolean isEmpty() {
        return count == 0;
    }

    String message() {
        return "Berth ignores fields of the template that Kubernetes 1.36 does not have: %s. Correct their names, or remove them"
                .formatted(NameList.first(first.size(), first.stream(), count));
    }
}
