package dev.berth.sandbox.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * One page of a list.
 *
 * @param items the objects, each with {@code apiVersion} and {@code kind}
 * @param resourceVersion the version a watch continues from
 * @param continueToken what to pass for the following page; empty on the last one
 */
public record ListPage(List<ObjectNode> items, String resourceVersion, String continueToken) {
    public ListPage {
        items = List.copyOf(items);
    }
}
