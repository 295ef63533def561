package dev.berth.core.placement;

import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.Hold;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.ledger.SnapshotFollower;
import dev.berth.core.placement.filter.CycleState;
import dev.berth.core.placement.filter.FilterPlugin;
import dev.berth.core.placement.filter.FilterPlugins;
import dev.berth.core.placement.filter.Veto;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Filters nodes by published state, as the extender does on its HTTP threads. It runs the same filters as scheduling,
 * in a placer of its own, which follows the snapshots. For one thread at a time.
 *
 * <p>Volumes are not checked. The extender filters for other schedulers, which check the volumes of their pods
 * themselves; no scheduler sends it a pod of Berth's own schedulers.
 */
public final class SnapshotFilter {
    private final SnapshotFollower ledger;
    private final Placer placer;
    private FilterPlugins filterPlugins;

    public SnapshotFilter(FilterState first) {
        this.ledger = new SnapshotFollower(first.ledger());
        this.filterPlugins = first.filterPlugins();
        this.placer = new Placer(ledger, first.profiles(), List.of(new PublishedPlugins()));
    }

    /** See {@link Placer#filter}; all states are of one scheduler. */
    public Map<String, List<Veto>> filter(FilterState state, Pod pod, List<String> nodes) {
        ledger.moveTo(state.ledger());
        filterPlugins = state.filterPlugins();
        return placer.filter(pod, nodes);
    }

    /** Runs the plugins of the present state. */
    private final class PublishedPlugins implements FilterPlugin {
        @Override
        public boolean appliesTo(Pod pod) {
            return filterPlugins.applyTo(pod);
        }

        @Override
        public Optional<Veto> preFilter(Pod pod) {
            return filterPlugins.preFilter(pod);
        }

        @Override
        public List<Veto> filter(CycleState cycle, NodeState node, Optional<Hold> hold) {
            return filterPlugins.filter(cycle, node, hold);
        }
    }
}
