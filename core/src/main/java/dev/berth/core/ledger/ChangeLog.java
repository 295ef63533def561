package dev.berth.core.ledger;

import dev.berth.core.cluster.Pod;
import org.jspecify.annotations.Nullable;

/** The last changes of the ledger, in a ring: old ones make room for new ones. */
final class ChangeLog {
    private enum Kind {
        NODE_CHANGED,
        POD_ARRIVED,
        POD_LEFT,
        WORKLOADS_CHANGED
    }

    private final Kind[] kinds;
    private final int[] slots;
    private final @Nullable Object[] subjects;
    private long version;

    ChangeLog(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity (%d) of the change log must be positive".formatted(capacity));
        }
        this.kinds = new Kind[capacity];
        this.slots = new int[capacity];
        this.subjects = new Object[capacity];
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
        int at = (int) (version % kinds.length);
        kinds[at] = kind;
        slots[at] = slot;
        subjects[at] = subject;
        version++;
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
            case WORKLOADS_CHANGED -> {
                if (subject instanceof String namespace) {
                    changes.workloadsChanged(namespace);
                }
            }
        }
    }
}
