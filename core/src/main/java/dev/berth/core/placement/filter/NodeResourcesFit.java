package dev.berth.core.placement.filter;

import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.ArrayList;
import java.util.List;

/** kube-scheduler's plugin NodeResourcesFit: whether a node has what is needed. */
public final class NodeResourcesFit {
    private NodeResourcesFit() {}

    /** A resource of which less is available than needed. */
    public record Shortage(ResourceName resource, long needed, long available) {}

    /** All insufficient resources, in the order of their names; empty if everything fits. */
    public static List<Shortage> findShortages(Resources needed, Resources available) {
        int at = needed.nextShortage(available, 0);
        if (at < 0) {
            return List.of();
        }
        List<Shortage> shortages = new ArrayList<>();
        for (; at >= 0; at = needed.nextShortage(available, at + 1)) {
            ResourceName name = needed.nameAt(at);
            shortages.add(new Shortage(name, needed.amountAt(at), available.get(name)));
        }
        return shortages;
    }
}
