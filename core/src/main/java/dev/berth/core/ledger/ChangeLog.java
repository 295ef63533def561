package dev.berth.core.ledger;

import dev.berth.core.cluster.Pod;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The last changes of the ledger, in a ring: new entries overwrite the oldest ones. It grows up to its capacity. */
final class ChangeLog {
    private enum ChangeKind {
        NODE_CHANGED,
        POD_ADDED,
        POD_REMOVED,
        WORKLOADS_CHANGED,
        NAMESPACES_CHANGED
    }

    private static final int INITIAL_CAPACITY = 16;

    private final int capacity;
    private ChangeKind[] kinds;
    private int[] slots;
    private @Nullable Object[] subjects;
    private long version;

    ChangeLog(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity (%d) of the change log must be positive".formatted(capacity));
        }
        int initial = Math.min(capacity, INITIAL_CAPACITY);
        this.capacity = capacity;
        this.kinds = new ChangeKind[initial];
        this.slots = new int[initial];
        this.subjects = new Object[initial];
    }

    long version() {
        return version;
    }

    void appendNodeChanged(int slot) {
        append(ChangeKind.NODE_CHANGED, slot, null);
    }

    void appendPodAdded(int slot, Pod pod) {
        append(ChangeKind.POD_ADDED, slot, pod);
    }

    void appendPodRemoved(int slot, Pod pod) {
        append(ChangeKind.POD_REMOVED, slot, pod);
    }

    void appendWorkloadsChanged(String namespace) {
        append(ChangeKind.WORKLOADS_CHANGED, -1, namespace);
    }

    void appendNamespacesChanged() {
        append(ChangeKind.NAMESPACES_CHANGED, -1, null);
    }

    boolean replaySince(long since, LedgerView.ChangeListener changeListener) {
        if (since > version || version - since > kinds.length) {
            return false;
        }
        for (long number = since; number < version; number++) {
            replay((int) (number % kinds.length), changeListener);
        }
        return true;
    }

    private void append(ChangeKind kind, int slot, @Nullable Object subject) {
        if (version == kinds.length && version < capacity) {
            grow();
        }
        int at = (int) (version % kinds.length);
        kinds[at] = kind;
        slots[at] = slot;
        subjects[at] = subject;
        version++;
    }

    /** Called while nothing has been overwritten yet, so every entry keeps its index. */
    private void grow() {
        int larger = (int) Math.min(capacity, 2L * kinds.length);
        kinds = Arrays.copyOf(kinds, larger);
        slots = Arrays.copyOf(slots, larger);
        subjects = Arrays.copyOf(subjects, larger);
    }

    private void replay(int at, LedgerView.ChangeListener changeListener) {
        Object subject = subjects[at];
        switch (kinds[at]) {
            case NODE_CHANGED -> changeListener.onNodeChanged(slots[at]);
            case POD_ADDED -> {
                if (subject instanceof Pod pod) {
                    changeListener.onPodAdded(slots[at], pod);
                }
            }
            case POD_REMOVED -> {
                if (subject instanceof Pod pod) {
                    changeListener.onPodRemoved(slots[at], pod);
                }
            }
            case NAMESPACES_CHANGED -> changeListener.onNamespacesChanged();
            case WORKLOADS_CHANGED -> {
                if (subject instanceof String namespace) {
                    changeListener.onWorkloadsChanged(namespace);
                }
            }
        }
    }
}
