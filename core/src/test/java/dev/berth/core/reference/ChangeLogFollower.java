package dev.berth.core.reference;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.resource.Resources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Knows only what the change log of the ledger contains: reads a slot again after each entry about it, and follows the
 * pods of a slot by their added and removed entries alone. If the log omits anything, it becomes wrong sooner or later.
 */
final class ChangeLogFollower implements LedgerView.ChangeListener {
    private final LedgerView ledger;
    private final Map<Integer, Map<PodUid, Pod>> pods = new HashMap<>();
    private final Map<Integer, Optional<Resources>> free = new HashMap<>();
    private final Set<Integer> readAnew = new HashSet<>();
    private final Set<Integer> changes = new HashSet<>();
    private long version;

    ChangeLogFollower(LedgerView ledger) {
        this.ledger = ledger;
    }

    /** Its differences from the ledger after all changes. */
    List<String> follow() {
        changes.clear();
        readAnew.clear();
        if (!ledger.changesSince(version, this)) {
            pods.clear();
            for (int slot = 0; slot < ledger.slotBound(); slot++) {
                changes.add(slot);
                read(slot);
            }
        }
        changes.forEach(slot -> free.put(slot, ledger.nodeAt(slot).map(NodeState::free)));
        version = ledger.version();
        return differences();
    }

    @Override
    public void onNodeChanged(int slot) {
        changes.add(slot);
        readAnew.add(slot);
        read(slot);
    }

    @Override
    public void onPodAdded(int slot, Pod pod) {
        changes.add(slot);
        if (!readAnew.contains(slot)) {
            pods.computeIfAbsent(slot, none -> new HashMap<>()).put(pod.uid(), pod);
        }
    }

    @Override
    public void onPodRemoved(int slot, Pod pod) {
        changes.add(slot);
        if (!readAnew.contains(slot)) {
            pods.computeIfAbsent(slot, none -> new HashMap<>()).remove(pod.uid());
        }
    }

    @Override
    public void onWorkloadsChanged(String namespace) {}

    @Override
    public void onNamespacesChanged() {}

    private void read(int slot) {
        Map<PodUid, Pod> present = new HashMap<>();
        ledger.nodeAt(slot).ifPresent(state -> state.pods().forEach(pod -> present.put(pod.uid(), pod)));
        pods.put(slot, present);
    }

    private List<String> differences() {
        List<String> found = new ArrayList<>();
        for (int slot = 0; slot < ledger.slotBound(); slot++) {
            Optional<NodeState> state = ledger.nodeAt(slot);
            Optional<Resources> known = free.getOrDefault(slot, Optional.empty());
            if (!Objects.equals(state.map(NodeState::free), known)) {
                found.add("slot %d: the log led to free (%s), the ledger says (%s)"
                        .formatted(slot, known, state.map(NodeState::free)));
            }
            List<Pod> actual = state.map(NodeState::pods).orElse(List.of());
            Map<PodUid, Pod> believed = pods.getOrDefault(slot, Map.of());
            boolean same = actual.size() == believed.size()
                    && actual.stream()
                            .allMatch(pod -> Optional.ofNullable(believed.get(pod.uid()))
                                    .filter(pod::isEquivalentTo)
                                    .isPresent());
            if (!same) {
                found.add("slot %d: the log led to pods (%s), the ledger says (%s)"
                        .formatted(slot, believed.values(), actual));
            }
        }
        return found;
    }
}
