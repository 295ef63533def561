package dev.berth.core.placement.spread;

import dev.berth.core.cluster.LabelSelector;
import java.util.Arrays;

/** The pods of a namespace that one selector matches, those being deleted left out, counted by slot and by zone. */
public final class SpreadGroup {
    private final String namespace;
    private final LabelSelector selector;
    private int[] bySlot = new int[16];
    private int[] byDomain = new int[4];
    private int users;

    SpreadGroup(String namespace, LabelSelector selector) {
        this.namespace = namespace;
        this.selector = selector;
    }

    public String namespace() {
        return namespace;
    }

    public LabelSelector selector() {
        return selector;
    }

    public int onSlot(int slot) {
        return slot < bySlot.length ? bySlot[slot] : 0;
    }

    /** The pods on all nodes of the zone, whoever may go there. */
    public int inDomain(int domain) {
        return domain < byDomain.length ? byDomain[domain] : 0;
    }

    void add(int slot, int domain, int delta) {
        if (slot >= bySlot.length) {
            bySlot = Arrays.copyOf(bySlot, Math.max(slot + 1, bySlot.length * 2));
        }
        if (domain >= byDomain.length) {
            byDomain = Arrays.copyOf(byDomain, Math.max(domain + 1, byDomain.length * 2));
        }
        bySlot[slot] += delta;
        byDomain[domain] += delta;
    }

    void joined() {
        users++;
    }

    /** @return whether nobody is interested any more */
    boolean left() {
        users--;
        return users <= 0;
    }
}
