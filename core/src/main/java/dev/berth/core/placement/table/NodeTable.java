package dev.berth.core.placement.table;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.score.Lot;
import dev.berth.core.resource.ResourceName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The nodes by slot, as numbers: what a pod of any shape is measured against, where they are, and what changed of them.
 */
public final class NodeTable {
    /** What stands for a resource that no node has. */
    public static final int NOWHERE = -1;

    private static final int LOG = 1 << 15;
    private static final int OLD_LOG = 1 << 12;

    private final Zones zones = new Zones();
    private final Images images = new Images();
    private final LabelKeys labelKeys = new LabelKeys();
    private final AmountLog changedAmounts = new AmountLog(LOG);
    private final SlotLog changedNodes = new SlotLog(OLD_LOG);
    private final Map<ResourceName, Integer> dimensions = new HashMap<>();
    private final List<long[]> freeOfDimension = new ArrayList<>();
    private final Set<ResourceName> resourcesOfNodes = new HashSet<>();

    private final Rows rows = new Rows();
    private @Nullable NodeState[] states = new NodeState[0];
    /** Of the states, so that whether a node is another is seen without a look at the old state. */
    private @Nullable Node[] nodesBySlot = new Node[0];

    private int[] zone = new int[0];
    private boolean[] host = new boolean[0];
    private int bound;
    private int nodes;

    public int bound() {
        return bound;
    }

    public int nodes() {
        return nodes;
    }

    public Optional<NodeState> state(int slot) {
        return slot < bound ? Optional.ofNullable(states[slot]) : Optional.empty();
    }

    public int domainOf(int slot) {
        return Zones.domain(zone[slot]);
    }

    public Rows rows() {
        return rows;
    }

    Images images() {
        return images;
    }

    public LabelKeys labelKeys() {
        return labelKeys;
    }

    public AmountLog changedAmounts() {
        return changedAmounts;
    }

    /** The slots where the node itself is another, or other than it was. */
    public SlotLog changedNodes() {
        return changedNodes;
    }

    public int zone(int slot) {
        return zone[slot];
    }

    public boolean hasHostname(int slot) {
        return host[slot];
    }

    /** Whether the first of two nodes comes before the second when their scores are equal. */
    public boolean precedes(int slot, int other) {
        if (rows.lot(slot) != rows.lot(other)) {
            return rows.lot(slot) < rows.lot(other);
        }
        return name(slot).compareTo(name(other)) < 0;
    }

    private String name(int slot) {
        return state(slot).map(state -> state.node().name()).orElse("");
    }

    /**
     * The column of a resource other than cpu, memory and pod slots; {@link #NOWHERE} as long as no node named it. Tenants'
     * pods may ask for as many names as they like, and none of those is kept.
     */
    public int dimension(ResourceName name) {
        Integer known = dimensions.get(name);
        if (known != null) {
            return known;
        }
        if (!resourcesOfNodes.contains(name)) {
            return NOWHERE;
        }
        int dimension = freeOfDimension.size();
        dimensions.put(name, dimension);
        long[] column = new long[Math.max(states.length, 1)];
        for (int slot = 0; slot < bound; slot++) {
            NodeState state = states[slot];
            column[slot] = state == null ? 0 : state.free().get(name);
        }
        freeOfDimension.add(column);
        return dimension;
    }

    public long free(int dimension, int slot) {
        return freeOfDimension.get(dimension)[slot];
    }

    /** Takes over the node in the slot as it is now, or that there is none. */
    public void load(int slot, Optional<NodeState> now) {
        ensure(slot + 1);
        Node after = now.isPresent() ? now.get().node() : null;
        states[slot] = now.orElse(null);
        if (!isSame(nodesBySlot[slot], after)) {
            replace(slot, Optional.ofNullable(nodesBySlot[slot]), Optional.ofNullable(after));
            nodesBySlot[slot] = after;
        }
        if (now.isPresent()) {
            fill(slot, now.get());
        } else {
            rows.clear(slot);
        }
        changedAmounts.add(slot, rows);
    }

    @SuppressWarnings("ReferenceEquality") // A node that did not change is the same object; one that did costs a look.
    private static boolean isSame(@Nullable Node before, @Nullable Node after) {
        return before == after;
    }

    private void replace(int slot, Optional<Node> before, Optional<Node> after) {
        images.replace(slot, before, after);
        labelKeys.replace(
                before.map(Node::labels).orElse(Labels.NONE),
                after.map(Node::labels).orElse(Labels.NONE));
        zone[slot] = after.map(zones::zoneOf).orElse(Zones.NONE);
        int change = (after.isPresent() ? 1 : 0) - (before.isPresent() ? 1 : 0);
        if (change != 0) {
            nodes += change;
            images.nodeCountChanged();
        }
        after.ifPresent(node -> {
            rows.lot(slot, Lot.of(node.name()));
            for (int i = 0; i < node.allocatable().size(); i++) {
                resourcesOfNodes.add(node.allocatable().nameAt(i));
            }
            host[slot] = node.labels().has(Node.HOSTNAME_LABEL);
        });
        changedNodes.add(slot);
    }

    private void fill(int slot, NodeState state) {
        rows.fill(slot, state);
        for (Map.Entry<ResourceName, Integer> dimension : dimensions.entrySet()) {
            freeOfDimension.get(dimension.getValue())[slot] = state.free().get(dimension.getKey());
        }
    }

    private void ensure(int slots) {
        if (slots > states.length) {
            int known = states.length;
            int size = Math.max(slots, known + known / 2 + 16);
            rows.ensure(size);
            states = Arrays.copyOf(states, size);
            nodesBySlot = Arrays.copyOf(nodesBySlot, size);
            zone = Arrays.copyOf(zone, size);
            host = Arrays.copyOf(host, size);
            freeOfDimension.replaceAll(column -> Arrays.copyOf(column, size));
        }
        bound = Math.max(bound, slots);
    }
}
