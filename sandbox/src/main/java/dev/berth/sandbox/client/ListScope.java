package dev.berth.sandbox.client;

import java.util.SortedMap;
import java.util.TreeMap;

/** Which objects of a resource to list or watch. Empty strings select everything. */
public record ListScope(String namespace, String labelSelector, String fieldSelector) {

    public static final ListScope ALL = new ListScope("", "", "");

    public static ListScope inNamespace(String namespace) {
        return new ListScope(namespace, "", "");
    }

    public ListScope withLabelSelector(String selector) {
        return new ListScope(namespace, selector, fieldSelector);
    }

    SortedMap<String, String> toQuery() {
        SortedMap<String, String> query = new TreeMap<>();
        if (!labelSelector.isEmpty()) {
            query.put("labelSelector", labelSelector);
        }
        if (!fieldSelector.isEmpty()) {
            query.put("fieldSelector", fieldSelector);
        }
        return query;
    }
}
