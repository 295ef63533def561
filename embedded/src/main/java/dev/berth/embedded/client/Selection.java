package dev.berth.embedded.client;

import java.util.SortedMap;
import java.util.TreeMap;

/** Which objects of a resource to list or watch. Empty strings select everything. */
public record Selection(String namespace, String labels, String fields) {

    public static final Selection ALL = new Selection("", "", "");

    public static Selection in(String namespace) {
        return new Selection(namespace, "", "");
    }

    public Selection labelled(String selector) {
        return new Selection(namespace, selector, fields);
    }

    SortedMap<String, String> query() {
        SortedMap<String, String> query = new TreeMap<>();
        if (!labels.isEmpty()) {
            query.put("labelSelector", labels);
        }
        if (!fields.isEmpty()) {
            query.put("fieldSelector", fields);
        }
        return query;
    }
}
