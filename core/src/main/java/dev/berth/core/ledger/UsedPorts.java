package dev.berth.core.ledger;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.Pod;
import java.util.AbstractList;
import java.util.Collection;
import java.util.List;
import java.util.RandomAccess;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The ports that pods use and holds hold on a node at one moment, in their order. They are sorted at the first read: a
 * pod can name tens of thousands, and after most changes of a node no pod requests ports.
 */
final class UsedPorts extends AbstractList<HostPort> implements RandomAccess {
    private final List<Pod> pods;
    private final List<HoldState> holds;
    /** Readers find null or the complete list: at worst two threads sort the same ports. */
    private @Nullable List<HostPort> sorted;

    private UsedPorts(List<Pod> pods, List<HoldState> holds) {
        this.pods = pods;
        this.holds = holds;
    }

    /** Retains only pods and holds with ports: the others may leave while the list of ports is still in use. */
    static List<HostPort> of(List<Pod> pods, Collection<HoldState> holds) {
        return new UsedPorts(
                pods.stream().filter(pod -> !pod.spec().hostPorts().isEmpty()).toList(),
                holds.stream().filter(state -> !state.hold().ports().isEmpty()).toList());
    }

    private List<HostPort> sorted() {
        @Nullable List<HostPort> cached = sorted;
        if (cached == null) {
            TreeSet<HostPort> ports = new TreeSet<>();
            pods.forEach(pod -> ports.addAll(pod.spec().hostPorts()));
            holds.forEach(state -> ports.addAll(state.hold().ports()));
            cached = List.copyOf(ports);
            sorted = cached;
        }
        return cached;
    }

    @Override
    public HostPort get(int index) {
        return sorted().get(index);
    }

    @Override
    public int size() {
        return sorted().size();
    }
}
