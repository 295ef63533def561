package dev.berth.core.placement.filter;

import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.Hold;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.ledger.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Runs the filter plugins that apply to a pod, in their order. The vetoes of the first that has any are returned alone. */
public final class FilterPlugins {
    /** An array, because a loop over it allocates nothing. */
    private final FilterPlugin[] plugins;

    public FilterPlugins(List<FilterPlugin> plugins) {
        this.plugins = plugins.toArray(FilterPlugin[]::new);
    }

    /** Whether any plugin filters nodes for the pod. */
    public boolean applyTo(Pod pod) {
        for (FilterPlugin plugin : plugins) {
            if (plugin.appliesTo(pod)) {
                return true;
            }
        }
        return false;
    }

    /** See {@link FilterPlugin#preFilter}. */
    public Optional<Veto> preFilter(Pod pod) {
        for (FilterPlugin plugin : plugins) {
            if (plugin.appliesTo(pod)) {
                Optional<Veto> veto = plugin.preFilter(pod);
                if (veto.isPresent()) {
                    return veto;
                }
            }
        }
        return Optional.empty();
    }

    /** See {@link FilterPlugin#filter}. */
    public List<Veto> filter(CycleState cycle, NodeState state, Optional<Hold> hold) {
        for (FilterPlugin plugin : plugins) {
            if (plugin.appliesTo(cycle.pod())) {
                List<Veto> vetoes = plugin.filter(cycle, state, hold);
                if (!vetoes.isEmpty()) {
                    return vetoes;
                }
            }
        }
        return List.of();
    }

    /** The plugins that the extender runs: see {@link FilterPlugin#publish}. */
    public FilterPlugins publish(Snapshot snapshot) {
        List<FilterPlugin> published = new ArrayList<>(plugins.length);
        for (FilterPlugin plugin : plugins) {
            plugin.publish(snapshot).ifPresent(published::add);
        }
        return new FilterPlugins(published);
    }
}
