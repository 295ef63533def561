package dev.berth.core.placement.shape;

import dev.berth.core.placement.table.NodeTable;
import dev.berth.core.placement.table.SlotLog;
import java.util.Optional;
import java.util.function.IntConsumer;

/** For pods that are not spread: a node's bucket is its kind, and its place in there its slot. */
final class PlainRanking implements Ranking {
    private static final long NEVER = -1;

    private final NodeTable table;
    private final Terms terms;
    private final Gathering gathering;
    /** What the choice among equals goes through; a field, so that choosing makes no garbage. */
    private final IntConsumer consider = this::consider;

    private Buckets buckets;
    private Board board = new Board();
    private long amountsSeen = NEVER;
    private long suitabilitySeen;
    private long imagesSeen;
    private int room;
    private int winner;

    PlainRanking(NodeTable table, Terms terms, Gathering gathering) {
        this.table = table;
        this.terms = terms;
        this.gathering = gathering;
        this.buckets = new Buckets(terms);
    }

    @Override
    public long bytes() {
        return buckets.bytes() + board.bytes();
    }

    @Override
    public void repair() {
        terms.repair();
        SlotLog amounts = table.changedAmounts();
        SlotLog suitability = terms.suitability().changed();
        SlotLog images = terms.images().changed();
        gathering.start(table.bound());
        if (amountsSeen == NEVER
                || amounts.head() - amountsSeen > 4L * table.bound() + 64
                || !amounts.reachesBackTo(amountsSeen)
                || !suitability.reachesBackTo(suitabilitySeen)
                || !images.reachesBackTo(imagesSeen)
                || table.bound() > room) {
            buckets = new Buckets(terms);
            board = new Board();
            room = Board.roomFor(table.bound() + table.bound() / 8);
            gathering.addAll(table.bound());
        } else {
            for (long number = suitabilitySeen; number < suitability.head(); number++) {
                remove(suitability.slotAt(number));
            }
            gathering.add(amounts, amountsSeen);
            gathering.add(suitability, suitabilitySeen);
            gathering.add(images, imagesSeen);
        }
        update();
        amountsSeen = amounts.head();
        suitabilitySeen = suitability.head();
        imagesSeen = images.head();
    }

    /** The node may be of another kind than it was: it is taken out wherever it is. */
    private void remove(int slot) {
        for (int number = 0; number < buckets.size(); number++) {
            set(buckets.get(number), slot, 0);
        }
    }

    private void update() {
        int count = gathering.count;
        int[] slots = gathering.slots;
        int[] keys = gathering.keys;
        long[] known = gathering.known;
        for (int i = 0; i < count; i++) {
            keys[i] = terms.key(slots[i]);
        }
        int only = buckets.size() == 1 ? buckets.get(0).from : -1;
        for (int i = 0; i < count; i++) {
            known[i] = only < 0 ? -1 : board.get(only + slots[i]);
        }
        for (int i = 0; i < count; i++) {
            if (known[i] != keys[i]) {
                set(bucketFor(slots[i]), slots[i], keys[i]);
            }
        }
    }

    private Bucket bucketFor(int slot) {
        Bucket bucket = buckets.get(buckets.find(terms.bucket(slot)));
        if (bucket.room == 0) {
            bucket.from = board.allocate(room);
            bucket.room = room;
        }
        return bucket;
    }

    private void set(Bucket bucket, int slot, int key) {
        int old = board.get(bucket.from + slot);
        if (old == key) {
            return;
        }
        board.set(bucket.from + slot, key);
        if (old == 0) {
            buckets.entered(bucket);
        } else if (key == 0) {
            buckets.left(bucket);
        }
    }

    @Override
    public Optional<Choice> best() {
        buckets.normalise(domain -> 0);
        long best = buckets.bestTotal(board);
        if (best < 0) {
            return Optional.empty();
        }
        winner = -1;
        for (int number = 0; number < buckets.size(); number++) {
            Bucket bucket = buckets.get(number);
            if (buckets.bestTotal(bucket) == best) {
                board.where(bucket.bestKey(), bucket.from, bucket.room, consider);
            }
        }
        return Optional.of(new Choice(winner, best));
    }

    private void consider(int slot) {
        if (winner < 0 || table.precedes(slot, winner)) {
            winner = slot;
        }
    }
}
