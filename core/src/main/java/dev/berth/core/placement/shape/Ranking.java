package dev.berth.core.placement.shape;

import dev.berth.core.placement.table.AmountLog;
import dev.berth.core.placement.table.NodeTable;
import dev.berth.core.placement.table.SlotLog;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntUnaryOperator;

/**
 * The nodes as pods of one class like them, kept from pod to pod: each time only what changed in the meantime is looked at
 * again. Of each bucket only the upper part is listed, the nodes whose keys reach the bucket's threshold: as long as there
 * is one of them, none of the others can be the best. Most nodes that change are and stay among the others. Where a
 * bucket's upper part is used up and the rest could win, the threshold is set anew.
 */
final class Ranking {
    private static final long NEVER = -1;
    /** The cell of a node that does not take the pod. */
    private static final int NOWHERE = -1;
    /** Else the number of its bucket, and then its place in the bucket's list plus one; zero where it is not listed. */
    private static final int NUMBER_AT = 18;

    private static final int PLACES = (1 << NUMBER_AT) - 1;
    private static final int MOST_BUCKETS = 1 << (31 - NUMBER_AT);

    private final NodeTable table;
    private final Terms terms;
    private final SlotLog group;
    private final Gathering gathering;
    private final ZoneCounts zoneCounts;
    private final IntUnaryOperator podsInDomain;
    private Buckets buckets;
    private int[] cells = new int[0];
    private long amountsSeen = NEVER;
    private long nodesSeen;
    private long suitabilitySeen;
    private long imagesSeen;
    private long groupSeen;
    private long uses;

    Ranking(NodeTable table, Terms terms, Gathering gathering) {
        this.table = table;
        this.terms = terms;
        this.group = terms.group().map(group -> group.changed()).orElseGet(() -> new SlotLog(1));
        this.gathering = gathering;
        this.zoneCounts = new ZoneCounts(table, terms);
        this.podsInDomain = zoneCounts::in;
        this.buckets = new Buckets(terms);
    }

    /** Whether a ranking of so many nodes is of use; in a larger cluster, or one in many more pieces, it is not. */
    boolean isOfUse() {
        return table.bound() < PLACES && buckets.size() < MOST_BUCKETS;
    }

    /** About how much memory it takes. */
    long bytes() {
        return buckets.bytes() + 4L * cells.length + zoneCounts.bytes();
    }

    /** Brings everything up to date with the nodes as they are. */
    void repair() {
        terms.repair();
        if (mustStartAnew()) {
            rebuild();
        } else {
            ensure();
            updateAmounts();
            updateNodes();
        }
        amountsSeen = table.changedAmounts().head();
        nodesSeen = table.changedNodes().head();
        suitabilitySeen = terms.suitability().changed().head();
        imagesSeen = terms.images().changed().head();
        groupSeen = group.head();
    }

    private boolean mustStartAnew() {
        AmountLog amounts = table.changedAmounts();
        return amountsSeen == NEVER
                || amounts.head() - amountsSeen > 4L * table.bound() + 64
                || !amounts.reachesBackTo(amountsSeen)
                || !table.changedNodes().reachesBackTo(nodesSeen)
                || !terms.suitability().changed().reachesBackTo(suitabilitySeen)
                || !terms.images().changed().reachesBackTo(imagesSeen)
                || !group.reachesBackTo(groupSeen)
                || buckets.worn();
    }

    private void ensure() {
        int known = cells.length;
        if (known < table.bound()) {
            cells = Arrays.copyOf(cells, table.bound() + table.bound() / 4);
            Arrays.fill(cells, known, cells.length, NOWHERE);
        }
    }

    /** Puts every node into its bucket. What is listed there is found out when somebody wants to know. */
    private void rebuild() {
        buckets = new Buckets(terms);
        ensure();
        Arrays.fill(cells, NOWHERE);
        zoneCounts.clear();
        for (int slot = 0; slot < table.bound() && isOfUse(); slot++) {
            zoneCounts.update(slot);
            if (terms.fits(slot)) {
                enter(slot, buckets.find(terms.bucket(slot)));
            }
        }
    }

    /** What depends on amounts and images: whether the node takes the pod, and its key. Its bucket stays. */
    private void updateAmounts() {
        AmountLog log = table.changedAmounts();
        gathering.brackets.ensure(log.capacity());
        long end = log.head();
        for (long number = amountsSeen; number < end; ) {
            int from = log.at(number);
            int to = (int) Math.min(log.capacity(), from + end - number);
            update(log, from, to);
            number += to - from;
        }
        gathering.start(table.bound());
        gathering.add(terms.images().changed(), imagesSeen);
        for (int i = 0; i < gathering.count; i++) {
            update(gathering.slots[i]);
        }
    }

    /** Entries come in their order, and the last of a slot tells how it is: what older ones left behind does not last. */
    private void update(AmountLog log, int from, int to) {
        int[] slots = log.slots();
        int[] keys = gathering.brackets.keys();
        if (terms.areToldByLog()) {
            terms.keys(log, from, to, gathering.brackets);
        } else {
            Arrays.fill(keys, from, to, -1);
        }
        for (int at = from; at < to; at++) {
            int cell = cells[slots[at]];
            if (cell == NOWHERE || keys[at] < 0) {
                update(slots[at]);
            } else if ((cell & PLACES) != 0 || keys[at] >= bucketOf(cell).threshold) {
                list(slots[at], keys[at]);
            }
        }
    }

    /** What depends on the node itself and on the pods that are to be kept apart: the bucket too. */
    private void updateNodes() {
        gathering.start(table.bound());
        gathering.add(table.changedNodes(), nodesSeen);
        gathering.add(terms.suitability().changed(), suitabilitySeen);
        gathering.add(group, groupSeen);
        for (int i = 0; i < gathering.count; i++) {
            update(gathering.slots[i]);
        }
    }

    private void update(int slot) {
        zoneCounts.update(slot);
        int key = terms.key(slot);
        if (key == 0) {
            leave(slot);
            return;
        }
        long bucket = terms.bucket(slot);
        if (cells[slot] == NOWHERE || bucketOf(cells[slot]).key != bucket) {
            leave(slot);
            enter(slot, buckets.find(bucket));
        }
        list(slot, key);
    }

    private Bucket bucketOf(int cell) {
        return buckets.get(cell >> NUMBER_AT);
    }

    private void enter(int slot, int number) {
        cells[slot] = number << NUMBER_AT;
        buckets.entered(buckets.get(number));
    }

    private void leave(int slot) {
        if (cells[slot] != NOWHERE) {
            list(slot, 0);
            buckets.left(bucketOf(cells[slot]));
            cells[slot] = NOWHERE;
        }
    }

    /** Puts the node on its bucket's list, or strikes it off when its key does not reach the threshold. */
    private void list(int slot, int key) {
        int cell = cells[slot];
        int place = (cell & PLACES) - 1;
        Bucket bucket = bucketOf(cell);
        if (key >= bucket.threshold) {
            if (place < 0) {
                cells[slot] = cell + bucket.append(slot, key) + 1;
            } else {
                bucket.set(place, key);
            }
        } else if (place >= 0) {
            cells[slot] = cell & ~PLACES;
            int moved = bucket.removeAt(place);
            if (moved != slot) {
                cells[moved] = cell;
            }
        }
    }

    /** The best node, of equals the one with the smallest lot. */
    Optional<Choice> best() {
        uses++;
        buckets.normalise(podsInDomain);
        long best = buckets.bestTotal();
        for (int number = 0; number < buckets.size(); number++) {
            Bucket bucket = buckets.get(number);
            if (buckets.restCouldReach(bucket, best) || bucket.isTooFull(uses)) {
                settle(number);
                best = buckets.bestTotal();
            }
        }
        return best < 0 ? Optional.empty() : Optional.of(new Choice(buckets.winner(best, table), best));
    }

    /** Looks at all nodes of the bucket and sets its threshold so that a part of them is above. */
    private void settle(int number) {
        Bucket bucket = buckets.get(number);
        gathering.start(table.bound());
        for (int slot = 0; slot < table.bound(); slot++) {
            if (cells[slot] >> NUMBER_AT == number) {
                gathering.keys[gathering.count] = terms.key(slot);
                gathering.slots[gathering.count++] = slot;
            }
        }
        bucket.settled(uses, gathering.keyOfRank(bucket.wanted(uses)));
        for (int i = 0; i < gathering.count; i++) {
            list(gathering.slots[i], gathering.keys[i]);
        }
    }
}
