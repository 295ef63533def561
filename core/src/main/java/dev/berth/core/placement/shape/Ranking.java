package dev.berth.core.placement.shape;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.function.IntUnaryOperator;

/**
 * The nodes in the order in which pods of one class like them, kept from pod to pod: each time only what changed in the
 * meantime is looked at again.
 */
final class Ranking {
    private static final long NEVER = -1;

    private final NodeTable table;
    private final Terms terms;
    private final ZoneCounts zoneCounts;
    private Buckets buckets;
    private int[] bucketOf = new int[0];
    private int[] leafOf = new int[0];
    private long amountsSeen = NEVER;
    private long suitabilitySeen;
    private long imagesSeen;
    private long layoutSeen;

    /** What the choice among equals goes through; fields, so that choosing makes no garbage. */
    private final IntConsumer consider = this::consider;

    private final IntUnaryOperator podsInDomain;
    private int considered;
    private int winner;

    Ranking(NodeTable table, Terms terms) {
        this.table = table;
        this.terms = terms;
        this.zoneCounts = new ZoneCounts(table, terms);
        this.podsInDomain = zoneCounts::in;
        this.buckets = new Buckets(terms, true);
    }

    Terms terms() {
        return terms;
    }

    long bytes() {
        return buckets.bytes() + 4L * (bucketOf.length + leafOf.length) + zoneCounts.bytes();
    }

    /** Brings everything up to date with the nodes as they are. */
    void repair() {
        terms.repair();
        SlotLog amounts = table.changedAmounts();
        SlotLog suitability = terms.suitability().changed();
        SlotLog images = terms.images().changed();
        boolean anew = amountsSeen == NEVER
                || amounts.head() - amountsSeen > 4L * table.bound() + 64
                || !amounts.reachesBackTo(amountsSeen)
                || !suitability.reachesBackTo(suitabilitySeen)
                || !images.reachesBackTo(imagesSeen)
                || buckets.worn();
        if (anew || (layoutSeen != table.layout() && zoneCounts.restricted())) {
            rebuild();
        } else {
            if (layoutSeen != table.layout() && terms.spreads()) {
                vacate();
            }
            ensure();
            walk(amounts, amountsSeen);
            walk(suitability, suitabilitySeen);
            walk(images, imagesSeen);
        }
        amountsSeen = amounts.head();
        suitabilitySeen = suitability.head();
        imagesSeen = images.head();
        layoutSeen = table.layout();
    }

    private void walk(SlotLog log, long since) {
        long head = log.head();
        for (long number = since; number < head; number++) {
            int slot = log.slotAt(number);
            if (slot != SlotLog.SUPERSEDED) {
                update(slot);
            }
        }
    }

    private void rebuild() {
        buckets = new Buckets(terms, true);
        ensure();
        Arrays.fill(bucketOf, Buckets.NONE);
        zoneCounts.clear();
        for (int slot = 0; slot < table.bound(); slot++) {
            update(slot);
        }
    }

    private void ensure() {
        int known = bucketOf.length;
        if (known < table.bound()) {
            int size = table.bound() + table.bound() / 4;
            bucketOf = Arrays.copyOf(bucketOf, size);
            Arrays.fill(bucketOf, known, size, Buckets.NONE);
            if (terms.spreads()) {
                leafOf = Arrays.copyOf(leafOf, size);
            }
        }
    }

    /** Takes out every node that has another seat now, before its old one is given to the next. */
    private void vacate() {
        for (int slot = 0; slot < bucketOf.length; slot++) {
            int number = bucketOf[slot];
            if (number != Buckets.NONE
                    && (leafOf[slot] != table.seat(slot) || buckets.get(number).zone != table.zone(slot))) {
                leave(slot, number);
            }
        }
    }

    private void update(int slot) {
        zoneCounts.update(slot);
        int key = terms.key(slot);
        int known = bucketOf[slot];
        if (key == 0) {
            if (known != Buckets.NONE) {
                leave(slot, known);
            }
            return;
        }
        long bucket = terms.bucket(slot);
        if (known != Buckets.NONE) {
            if (buckets.get(known).key == bucket) {
                buckets.get(known).tree().set(terms.leaf(slot), key);
                return;
            }
            leave(slot, known);
        }
        enter(slot, buckets.find(bucket), key);
    }

    private void enter(int slot, int number, int key) {
        Bucket bucket = buckets.get(number);
        int leaf = terms.leaf(slot);
        bucket.tree().set(leaf, key);
        buckets.entered(bucket);
        bucketOf[slot] = number;
        if (terms.spreads()) {
            leafOf[slot] = leaf;
        }
    }

    private void leave(int slot, int number) {
        Bucket bucket = buckets.get(number);
        bucket.tree().set(terms.spreads() ? leafOf[slot] : slot, 0);
        buckets.left(bucket);
        bucketOf[slot] = Buckets.NONE;
    }

    /** The best node, of equals the one with the smallest lot. */
    Optional<Choice> best() {
        buckets.normalise(podsInDomain);
        long best = buckets.bestTotal();
        if (best < 0) {
            return Optional.empty();
        }
        winner = -1;
        for (int number = 0; number < buckets.size(); number++) {
            Bucket bucket = buckets.get(number);
            if (buckets.bestTotal(bucket) == best) {
                considered = bucket.zone;
                bucket.tree().whereMax(consider);
            }
        }
        return Optional.of(new Choice(winner, best));
    }

    private void consider(int leaf) {
        int slot = terms.spreads() ? table.slotAt(considered, leaf) : leaf;
        if (winner < 0 || table.precedes(slot, winner)) {
            winner = slot;
        }
    }
}
