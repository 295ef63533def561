package dev.berth.core.ledger;

import dev.berth.core.cluster.Pod;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The last changes of the ledger, in a ring: old ones make room for new ones. It grows up to its capacity. */
final class ChangeLog {
    private enum Kind {
        NODE_CHANGED,
        POD_ARRIVED,
        POD_LEFT,
        WORKLOADS_CHANGED,
        NAMESPACES_CHANGED
    }

    private static final int AT_FIRST = 16;

    private final int capacity;
    private Kind[] kinds;
    private int[] slots;
    private @Nullable Object[] subjects;
    private long version;

    ChangeLog(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity (%d) of the change log must be positive".formatted(capacity));
        }
        int room = Math.min(capacity, AT_FIRST);
        this.capacity = capacity;
        this.kinds = new Kind[room];
        this.slots = new int[room];
        this.subjects = new Object[room];
    }

    long version() {
        return version;
    }

    void nodeChanged(int slot) {
        append(Kind.NODE_CHANGED, slot, null);
    }

    void podArrived(int slot, Pod pod) {
        append(Kind.POD_ARRIVED, slot, pod);
    }

    void podLeft(int slot, Pod pod) {
        append(Kind.POD_LEFT, slot, pod);
    }

    void workloadsChanged(String namespace) {
        append(Kind.WORKLOADS_CHANGED, -1, namespace);
    }

    void namespacesChanged() {
        append(Kind.NAMESPACES_CHANGED, -1, null);
    }

    boolean tellSince(long since, LedgerView.Changes changes) {
        if (since > version || version - since > kinds.length) {
            return false;
        }
        for (long number = since; number < version; number++) {
            tell((int) (number % kinds.length), changes);
        }
        return true;
    }

    private void append(Kind kind, int slot, @Nullable Object subject) {
        if (version == kinds.length && version < capacity) {
            grow();
        }
        int at = (int) (version % kinds.length);
        kinds[at] = kind;
        slots[at] = slot;
        subjects[at] = subject;
        version++;
    }

    /** Called while nothing has been overwritten yet, so that every entry stays at the place of its number. */
    private void grow() {
        int room = (int) Math.min(capacity, 2L * kinds.length);
        kinds = Arrays.copyOf(kinds, room);
        slots = Arrays.copyOf(slots, room);
        subjects = Arrays.copyOf(subjects, room);
    }

    private void tell(int at, LedgerView.Changes changes) {
        Object subject = subjects[at];
        switch (kinds[at]) {
            case NODE_CHANGED -> changes.nodeChanged(slots[at]);
            case POD_ARRIVED -> {
                if (subject instanceof Pod pod) {
                    changes.podArrived(slots[at], pod);
                }
            }
            case POD_LEFT -> {
                if (subject instanceof Pod pod) {
                    changes.podLeft(slots[at], pod);
                }
            }
            case NAMESPACES_CHANGED -> changes.namespacesChanged();
            case WORKLOADS_CHANGED -> {
                if (subject instanceof String namespace) {
                    changes.workloadsChanged(namespace);
                }
            }
        }
    }
}
