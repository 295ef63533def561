package dev.berth.core.framework;

import dev.berth.core.placement.filter.ClusterEventKind;
import dev.berth.core.placement.filter.Veto;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What PostFilter plugins can do for a pod that no node is feasible for.
 *
 * @param possibleNow whether a plugin can make a node feasible now
 * @param message the message for the pod's status; may be empty
 * @param possibleAfter the kinds of events after which a plugin may be able to
 */
public record PostFilterResult(boolean possibleNow, String message, Set<ClusterEventKind> possibleAfter) {
    public static final PostFilterResult NONE = new PostFilterResult(false, "", Set.of());
    public static final PostFilterResult POSSIBLE_NOW = new PostFilterResult(true, "", Set.of());

    public PostFilterResult {
        possibleAfter = Set.copyOf(possibleAfter);
    }

    /** The plugin can do nothing, for this reason. */
    public static PostFilterResult impossible(String message) {
        return new PostFilterResult(false, message, Set.of());
    }

    /** The kinds of events that can resolve the vetoes. */
    public static Set<ClusterEventKind> eventsResolving(List<Veto> vetoes) {
        EnumSet<ClusterEventKind> clusterEventKinds = EnumSet.noneOf(ClusterEventKind.class);
        vetoes.forEach(veto -> clusterEventKinds.addAll(veto.resolvingEvents()));
        return clusterEventKinds;
    }
}
