package dev.berth.embedded.schema;

import java.util.List;

/** What may be done with a kind: whether this server serves it at all, and with which verbs and subresources. */
public record Offer(boolean served, List<String> verbs, List<Subresource> subresources) {

    public Offer {
        verbs = List.copyOf(verbs);
        subresources = List.copyOf(subresources);
    }
}
