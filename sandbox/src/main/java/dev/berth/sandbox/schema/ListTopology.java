package dev.berth.sandbox.schema;

import java.util.List;

/** What OpenAPI says of a list or map: who owns its parts. Only told to clients. */
public record ListTopology(String listType, List<String> mapKeys, String mapType) {

    /** Nothing is said. */
    public static final ListTopology NONE = new ListTopology("", List.of(), "");

    public ListTopology {
        mapKeys = List.copyOf(mapKeys);
    }
}
