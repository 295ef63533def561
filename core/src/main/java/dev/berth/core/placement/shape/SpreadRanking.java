package dev.berth.core.placement.shape;

import dev.berth.core.placement.spread.SpreadGroup;
import dev.berth.core.placement.table.NodeTable;
import dev.berth.core.placement.table.SlotLog;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.function.IntUnaryOperator;

/**
 * For pods that are kept apart: a node's bucket is its kind, its zone and how many of them it has; its place in there is
 * its seat in the zone. What changes most, a node's amounts, leaves it in its bucket.
 */
final class SpreadRanking implements Ranking {
    private static final long NEVER = -1;
    private static final int PLACE_AT = 32;

    private final NodeTable table;
    private final Terms terms;
    private final SpreadGroup group;
    private final Gathering gathering;
    private final ZoneCounts zoneCounts;
    /** What the choice among equals goes through; fields, so that choosing makes no garbage. */
    private final IntConsumer consider = this::consider;

    private final IntUnaryOperator podsInDomain;
    private Buckets buckets;
    private Board board = new Board();
    /** The place on the board plus one, then the key; zero where the node does not take the pod. */
    private long[] cells = new long[0];

    private int[] numbers = new int[0];
    private long amountsSeen = NEVER;
    private long nodesSeen;
    private long suitabilitySeen;
    private long imagesSeen;
    private long groupSeen;
    private long layoutSeen;
    private int zone;
    private int winner;

    SpreadRanking(NodeTable table, Terms terms, SpreadGroup group, Gathering gathering) {
        this.table = table;
        this.terms = terms;
        this.group = group;
        this.gathering = gathering;
        this.zoneCounts = new ZoneCounts(table, terms);
        this.podsInDomain = zoneCounts::in;
        this.buckets = new Buckets(terms);
    }

    @Override
    public long bytes() {
        return buckets.bytes() + board.bytes() + 12L * cells.length + zoneCounts.bytes();
    }

    @Override
    public void repair() {
        terms.repair();
        ensure();
        if (mustStartAnew()) {
            rebuild();
        } else {
            if (layoutSeen != table.layout()) {
                vacate();
            }
            updateKeys();
            updateBuckets();
        }
        amountsSeen = table.changedAmounts().head();
        nodesSeen = table.changedNodes().head();
        suitabilitySeen = terms.suitability().changed().head();
        imagesSeen = terms.images().changed().head();
        groupSeen = group.changed().head();
        layoutSeen = table.layout();
    }

    private boolean mustStartAnew() {
        SlotLog amounts = table.changedAmounts();
        return amountsSeen == NEVER
                || amounts.head() - amountsSeen > 4L * table.bound() + 64
                || !amounts.reachesBackTo(amountsSeen)
                || !table.changedNodes().reachesBackTo(nodesSeen)
                || !terms.suitability().changed().reachesBackTo(suitabilitySeen)
                || !terms.images().changed().reachesBackTo(imagesSeen)
                || !group.changed().reachesBackTo(groupSeen)
                || buckets.worn()
                || (layoutSeen != table.layout() && zoneCounts.restricted());
    }

    private void rebuild() {
        buckets = new Buckets(terms);
        board = new Board();
        Arrays.fill(cells, 0);
        zoneCounts.clear();
        for (int slot = 0; slot < table.bound(); slot++) {
            update(slot);
        }
    }

    private void ensure() {
        if (cells.length < table.bound()) {
            int size = table.bound() + table.bound() / 4;
            cells = Arrays.copyOf(cells, size);
            numbers = Arrays.copyOf(numbers, size);
        }
    }

    /** Takes out every node that has another seat now, before its old one is given to the next. */
    private void vacate() {
        for (int slot = 0; slot < table.bound(); slot++) {
            if (cells[slot] != 0) {
                Bucket bucket = buckets.get(numbers[slot]);
                if (bucket.zone != table.zone(slot) || place(cells[slot]) != bucket.from + table.seat(slot)) {
                    leave(slot);
                }
            }
        }
    }

    private static int place(long cell) {
        return (int) (cell >>> PLACE_AT) - 1;
    }

    private static long cell(int place, int key) {
        return ((long) (place + 1) << PLACE_AT) | key;
    }

    /** What depends on amounts and images: the order within the bucket, and whether the node takes the pod. */
    private void updateKeys() {
        gathering.start(table.bound());
        gathering.add(table.changedAmounts(), amountsSeen);
        gathering.add(terms.images().changed(), imagesSeen);
        int count = gathering.count;
        int[] slots = gathering.slots;
        int[] keys = gathering.keys;
        long[] known = gathering.known;
        for (int i = 0; i < count; i++) {
            known[i] = cells[slots[i]];
        }
        for (int i = 0; i < count; i++) {
            keys[i] = terms.key(slots[i]);
        }
        int changed = 0;
        for (int i = 0; i < count; i++) {
            slots[changed] = slots[i];
            keys[changed] = keys[i];
            known[changed] = known[i];
            changed += (int) known[i] == keys[i] ? 0 : 1;
        }
        apply(changed);
    }

    /** The keys of so many nodes that were gathered are other than they were. */
    private void apply(int changed) {
        int[] slots = gathering.slots;
        int[] keys = gathering.keys;
        long[] known = gathering.known;
        gathering.touched = touch(known, changed);
        for (int i = 0; i < changed; i++) {
            if (known[i] == 0 || keys[i] == 0) {
                update(slots[i]);
            } else {
                int place = place(known[i]);
                board.set(place, keys[i]);
                cells[slots[i]] = cell(place, keys[i]);
            }
        }
    }

    /** Reads what will be written, all at once rather than one after the other: it is seldom in the cache. */
    private int touch(long[] known, int count) {
        int sum = 0;
        for (int i = 0; i < count; i++) {
            sum += board.get(Math.max(0, place(known[i])));
        }
        return sum;
    }

    /** What depends on the node itself and on the pods that are to be kept apart. */
    private void updateBuckets() {
        gathering.start(table.bound());
        gathering.add(table.changedNodes(), nodesSeen);
        gathering.add(terms.suitability().changed(), suitabilitySeen);
        gathering.add(group.changed(), groupSeen);
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
        long cell = cells[slot];
        long bucket = terms.bucket(slot);
        if (cell != 0 && buckets.get(numbers[slot]).key == bucket) {
            board.set(place(cell), key);
            cells[slot] = cell(place(cell), key);
            return;
        }
        leave(slot);
        enter(slot, buckets.find(bucket), key);
    }

    private void enter(int slot, int number, int key) {
        Bucket bucket = buckets.get(number);
        int seat = table.seat(slot);
        if (seat >= bucket.room) {
            widen(bucket, seat + 1);
        }
        board.set(bucket.from + seat, key);
        buckets.entered(bucket);
        numbers[slot] = number;
        cells[slot] = cell(bucket.from + seat, key);
    }

    /** Gives the bucket a larger range, and its nodes their places there. */
    private void widen(Bucket bucket, int seats) {
        int from = bucket.from;
        int room = bucket.room;
        bucket.room = Board.roomFor(Math.max(seats, table.seats(bucket.zone)));
        bucket.from = board.allocate(bucket.room);
        for (int seat = 0; seat < room; seat++) {
            int key = board.get(from + seat);
            if (key != 0) {
                board.set(from + seat, 0);
                board.set(bucket.from + seat, key);
                cells[table.slotAt(bucket.zone, seat)] = cell(bucket.from + seat, key);
            }
        }
    }

    private void leave(int slot) {
        if (cells[slot] != 0) {
            board.set(place(cells[slot]), 0);
            buckets.left(buckets.get(numbers[slot]));
            cells[slot] = 0;
        }
    }

    @Override
    public Optional<Choice> best() {
        buckets.normalise(podsInDomain);
        long best = buckets.bestTotal(board);
        if (best < 0) {
            return Optional.empty();
        }
        winner = -1;
        for (int number = 0; number < buckets.size(); number++) {
            Bucket bucket = buckets.get(number);
            if (buckets.bestTotal(bucket) == best) {
                zone = bucket.zone;
                board.where(bucket.bestKey(), bucket.from, bucket.room, consider);
            }
        }
        return Optional.of(new Choice(winner, best));
    }

    private void consider(int seat) {
        int slot = table.slotAt(zone, seat);
        if (winner < 0 || table.precedes(slot, winner)) {
            winner = slot;
        }
    }
}
