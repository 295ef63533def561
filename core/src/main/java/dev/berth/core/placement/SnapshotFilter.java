package dev.berth.core.placement;

import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.Hold;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.ledger.Snapshot;
import dev.berth.core.ledger.SnapshotFollower;
import dev.berth.core.placement.filter.DeviceFilter;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.placement.filter.VolumeFilter;
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
    private DeviceFilter deviceFilter;

    public SnapshotFilter(FilterState first) {
        this.ledger = new SnapshotFollower(first.ledger());
        this.deviceFilter = first.deviceFilter();
        this.placer = new Placer(ledger, first.profiles(), new PublishedDevices(), VolumeFilter.NONE);
    }

    /** See {@link Placer#filter}; all states are of one scheduler. */
    public Map<String, List<Veto>> filter(FilterState state, Pod pod, List<String> nodes) {
        ledger.moveTo(state.ledger());
        deviceFilter = state.deviceFilter();
        return placer.filter(pod, nodes);
    }

    /** The device filter of the present state. */
    private final class PublishedDevices implements DeviceFilter {
        @Override
        public boolean appliesTo(Pod pod) {
            return deviceFilter.appliesTo(pod);
        }

        @Override
        public Optional<Veto> veto(Pod pod, NodeState node, Optional<Hold> own) {
            return deviceFilter.veto(pod, node, own);
        }

        @Override
        public DeviceFilter publish(Snapshot snapshot) {
            return deviceFilter;
        }
    }
}
