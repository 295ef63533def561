package dev.berth.core.placement.table;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.score.TieBreak;
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

/** The nodes by slot as numbers: their resources, zones and images, and logs of their changes. */
public final class NodeTable {
    /** The column of a resource that no node has. */
    public static final int NO_COLUMN = -1;

    private static final int RESOURCE_LOG_CAPACITY = 1 << 15;
    private static final int NODE_LOG_CAPACITY = 1 << 12;

    private final ZoneIds zoneIds = new ZoneIds();
    private final ImageIndex imageIndex = new ImageIndex();
    private final NodeLabelKeys labelKeys = new NodeLabelKeys();
    private final ResourceChangeLog resourceChanges = new ResourceChangeLog(RESOURCE_LOG_CAPACITY);
    private final SlotChangeLog nodeChanges = new SlotChangeLog(NODE_LOG_CAPACITY);
    private final Map<ResourceName, Integer> columns = new HashMap<>();
    private final List<long[]> freeByColumn = new ArrayList<>();
    private final Set<ResourceName> resourcesOfNodes = new HashSet<>();

    private final NodeRows rows = new NodeRows();
    private @Nullable NodeState[] states = new NodeState[0];
    /** The nodes of the states: a changed node is detected without reading the old state. */
    private @Nullable Node[] nodesBySlot = new Node[0];

    private int[] zone = new int[0];
    private boolean[] hasHostname = new boolean[0];
    private int slotBound;
    private int nodeCount;

    public int slotBound() {
        return slotBound;
    }

    public int nodeCount() {
        return nodeCount;
    }

    public Optional<NodeState> stateAt(int slot) {
        return slot < slotBound ? Optional.ofNullable(states[slot]) : Optional.empty();
    }

    public int domainOf(int slot) {
        return ZoneIds.domainOf(zone[slot]);
    }

    public NodeRows rows() {
        return rows;
    }

    ImageIndex imageIndex() {
        return imageIndex;
    }

    public NodeLabelKeys labelKeys() {
        return labelKeys;
    }

    public ResourceChangeLog resourceChanges() {
        return resourceChanges;
    }

    /** The slots whose node was replaced or changed. */
    public SlotChangeLog nodeChanges() {
        return nodeChanges;
    }

    public int zone(int slot) {
        return zone[slot];
    }

    public boolean hasHostname(int slot) {
        return hasHostname[slot];
    }

    /** Whether the first node wins if the scores are equal. */
    public boolean winsTie(int slot, int other) {
        if (rows.tieBreak(slot) != rows.tieBreak(other)) {
            return rows.tieBreak(slot) < rows.tieBreak(other);
        }
        return name(slot).compareTo(name(other)) < 0;
    }

    private String name(int slot) {
        return stateAt(slot).map(state -> state.node().name()).orElse("");
    }

    /**
     * The column of a resource other than cpu, memory and pod slots; {@link #NO_COLUMN} if no node has it. Tenants'
     * pods may name any number of resources, and none of these is stored.
     */
    public int columnOf(ResourceName name) {
        Integer existing = columns.get(name);
        if (existing != null) {
            return existing;
        }
        if (!resourcesOfNodes.contains(name)) {
            return NO_COLUMN;
        }
        int dimension = freeByColumn.size();
        columns.put(name, dimension);
        long[] column = new long[Math.max(states.length, 1)];
        for (int slot = 0; slot < slotBound; slot++) {
            NodeState state = states[slot];
            column[slot] = state == null ? 0 : state.free().get(name);
        }
        freeByColumn.add(column);
        return dimension;
    }

    public long free(int dimension, int slot) {
        return freeByColumn.get(dimension)[slot];
    }

    /** Updates the slot to the present state of its node; empty if there is none. */
    public void update(int slot, Optional<NodeState> now) {
        ensureCapacity(slot + 1);
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
        resourceChanges.add(slot, rows);
    }

    @SuppressWarnings("ReferenceEquality") // An unchanged node is the same object. A changed one costs a comparison.
    private static boolean isSame(@Nullable Node before, @Nullable Node after) {
        return before == after;
    }

    private void replace(int slot, Optional<Node> before, Optional<Node> after) {
        imageIndex.replace(slot, before, after);
        labelKeys.replace(
                before.map(Node::labels).orElse(Labels.NONE),
                after.map(Node::labels).orElse(Labels.NONE));
        zone[slot] = after.map(zoneIds::idOf).orElse(ZoneIds.NONE);
        int change = (after.isPresent() ? 1 : 0) - (before.isPresent() ? 1 : 0);
        if (change != 0) {
            nodeCount += change;
            imageIndex.nodeCountChanged();
        }
        after.ifPresent(node -> {
            rows.tieBreak(slot, TieBreak.keyOf(node.name()));
            for (int i = 0; i < node.allocatable().size(); i++) {
                resourcesOfNodes.add(node.allocatable().nameAt(i));
            }
            hasHostname[slot] = node.labels().has(Node.HOSTNAME_LABEL);
        });
        nodeChanges.add(slot);
    }

    private void fill(int slot, NodeState state) {
        rows.write(slot, state);
        for (Map.Entry<ResourceName, Integer> dimension : columns.entrySet()) {
            freeByColumn.get(dimension.getValue())[slot] = state.free().get(dimension.getKey());
        }
    }

    private void ensureCapacity(int slots) {
        if (slots > states.length) {
            int known = states.length;
            int size = Math.max(slots, known + known / 2 + 16);
            rows.ensureCapacity(size);
            states = Arrays.copyOf(states, size);
            nodesBySlot = Arrays.copyOf(nodesBySlot, size);
            zone = Arrays.copyOf(zone, size);
            hasHostname = Arrays.copyOf(hasHostname, size);
            freeByColumn.replaceAll(column -> Arrays.copyOf(column, size));
        }
        slotBound = Math.max(slotBound, slots);
    }
}
