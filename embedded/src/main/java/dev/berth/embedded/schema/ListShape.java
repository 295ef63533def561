package dev.berth.embedded.schema;

import java.util.List;

/** What OpenAPI says of a list or map: who owns its parts. Only told to clients. */
public record ListShape(String listType, List<String> mapKeys, String mapType) {

    /** Nothing is said. */
    public static final ListShape NONE = new ListShape("", List.of(), "");

    public ListShape {
        mapKeys = List.copyOf(mapKeys);
    }
}
