package dev.berth.core.placement.table;

import dev.berth.core.cluster.Node;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Small numbers for zones. Nodes without a zone have a number of their own. */
public final class ZoneIds {
    public static final int NONE = 0;
    private static final int EMPTY_NAME = 1;

    private final Map<String, Integer> ids = new HashMap<>();

    int idOf(Node node) {
        Optional<String> label = node.labels().get(Node.ZONE_LABEL);
        if (label.isEmpty()) {
            return NONE;
        }
        return label.get().isEmpty()
                ? EMPTY_NAME
                : ids.computeIfAbsent(label.get(), name -> EMPTY_NAME + 1 + ids.size());
    }

    /** Nodes without a zone and nodes with an empty zone label are one domain, as in Kubernetes. */
    public static int domainOf(int zone) {
        return zone <= EMPTY_NAME ? 0 : zone - 1;
    }
}
