package dev.berth.sandbox.schema;

import java.util.List;

/** The list type or map type in OpenAPI documents. */
public record ListTopology(String listType, List<String> mapKeys, String mapType) {

    /** Neither list type nor map type. */
    public static final ListTopology NONE = new ListTopology("", List.of(), "");

    public ListTopology {
        mapKeys = List.copyOf(mapKeys);
    }
}
