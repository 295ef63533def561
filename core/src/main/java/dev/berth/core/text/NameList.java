package dev.berth.core.text;

import java.util.Collection;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A list of names in a message: {@code a, b, c and 2 more}. */
public final class NameList {
    private NameList() {}

    /** The first names, and the number of further ones. */
    public static String first(int max, Collection<String> names) {
        return first(max, names.stream(), names.size());
    }

    /**
     * The same if not all names are available.
     *
     * @param count the number of all names; the stream may have only the first ones
     */
    public static String first(int max, Stream<String> names, long count) {
        String more = count > max ? " and %d more".formatted(count - max) : "";
        return names.limit(max).collect(Collectors.joining(", ", "", more));
    }
}
