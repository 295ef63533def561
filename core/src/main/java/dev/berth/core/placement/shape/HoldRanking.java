package dev.berth.core.placement.shape;

import dev.berth.core.placement.shape.HoldRankings.Holds;
import dev.berth.core.placement.shape.HoldRankings.Offer;
import dev.berth.core.placement.table.AmountLog;
import dev.berth.core.placement.table.NodeTable;
import dev.berth.core.placement.table.SlotLog;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The nodes where pods of one class may use a hold, kept from pod to pod: each time only nodes that changed in the
 * meantime are looked at again. The choice is one pass over numbers: there are as many as nodes with such holds, and the
 * pass costs less than one look at a node for some hundred of them.
 */
public final class HoldRanking {
    private static final long NEVER = -1;
    private static final int NOWHERE = -1;
    private static final int FEW = 64;

    private final NodeTable table;
    private final Terms terms;
    private final ZoneCounts zoneCounts;
    private final long weight;
    private Buckets buckets;
    private int[] placeOf = new int[0];
    /** What follows is by place: the nodes with an offer, without gaps. */
    private int[] slots = new int[16];

    private int[] bucketOf = new int[16];
    private long[] scores = new long[16];
    private @Nullable Offer[] offers = new Offer[16];
    private int count;

    /** Nodes that changed, or that a new start found, and that were not looked at yet. */
    private final BitSet unread = new BitSet();

    private long amountsSeen = NEVER;
    private long imagesSeen;

    HoldRanking(NodeTable table, Terms terms, long weight) {
        this.table = table;
        this.terms = terms;
        this.zoneCounts = new ZoneCounts(table, terms);
        this.weight = weight;
        this.buckets = new Buckets(terms);
    }

    /**
     * Brings everything up to date.
     *
     * @param timeIsUp asked after each node; after a yes, the next call goes on where this one stopped
     * @return whether everything is
     */
    boolean repair(Holds holds, BooleanSupplier timeIsUp) {
        terms.repair();
        if (placeOf.length < table.bound()) {
            int known = placeOf.length;
            placeOf = Arrays.copyOf(placeOf, table.bound() + table.bound() / 4);
            Arrays.fill(placeOf, known, placeOf.length, NOWHERE);
        }
        if (mustStartAnew(table.changedAmounts())) {
            startAnew(holds);
        } else {
            noteChanges();
        }
        for (int slot = unread.nextSetBit(0); slot >= 0; slot = unread.nextSetBit(slot + 1)) {
            update(slot, holds);
            unread.clear(slot);
            if (timeIsUp.getAsBoolean()) {
                break;
            }
        }
        return unread.isEmpty();
    }

    private boolean mustStartAnew(AmountLog amounts) {
        boolean mostChanged = unread.isEmpty() && amounts.head() - amountsSeen > count + FEW;
        return amountsSeen == NEVER
                || mostChanged
                || !amounts.reachesBackTo(amountsSeen)
                || !terms.images().changed().reachesBackTo(imagesSeen)
                || buckets.worn();
    }

    private void startAnew(Holds holds) {
        buckets = new Buckets(terms);
        Arrays.fill(placeOf, NOWHERE);
        count = 0;
        zoneCounts.clear();
        for (int slot = 0; zoneCounts.restricted() && slot < table.bound(); slot++) {
            zoneCounts.update(slot);
        }
        unread.clear();
        for (int slot : holds.slots()) {
            unread.set(slot);
        }
        amountsSeen = table.changedAmounts().head();
        imagesSeen = terms.images().changed().head();
    }

    private void noteChanges() {
        // Whatever changes on a node is in this log: pods, holds, labels and taints.
        AmountLog amounts = table.changedAmounts();
        for (long number = amountsSeen; number < amounts.head(); number++) {
            unread.set(amounts.slots()[amounts.at(number)]);
        }
        SlotLog images = terms.images().changed();
        for (long number = imagesSeen; number < images.head(); number++) {
            unread.set(images.slotAt(number));
        }
        amountsSeen = amounts.head();
        imagesSeen = images.head();
    }

    private void update(int slot, Holds holds) {
        zoneCounts.update(slot);
        leave(slot);
        if (table.state(slot).isPresent()) {
            holds.best(slot).ifPresent(offer -> enter(slot, offer));
        }
    }

    private void enter(int slot, Offer offer) {
        if (count == slots.length) {
            slots = Arrays.copyOf(slots, 2 * count);
            bucketOf = Arrays.copyOf(bucketOf, 2 * count);
            scores = Arrays.copyOf(scores, 2 * count);
            offers = Arrays.copyOf(offers, 2 * count);
        }
        int kind = terms.suitability().kindOf(table.state(slot).orElseThrow().node());
        int bucket = buckets.find(terms.bucket(slot, kind));
        buckets.entered(buckets.get(bucket));
        placeOf[slot] = count;
        slots[count] = slot;
        bucketOf[count] = bucket;
        scores[count] = terms.scoreWith(slot, offer.outstanding()) + weight * offer.filling();
        offers[count] = offer;
        count++;
    }

    private void leave(int slot) {
        int place = placeOf[slot];
        if (place == NOWHERE) {
            return;
        }
        buckets.left(buckets.get(bucketOf[place]));
        placeOf[slot] = NOWHERE;
        count--;
        if (place != count) {
            slots[place] = slots[count];
            bucketOf[place] = bucketOf[count];
            scores[place] = scores[count];
            offers[place] = offers[count];
            placeOf[slots[place]] = place;
        }
        offers[count] = null;
    }

    /** The best node and its offer; of equals the node that precedes. */
    public Optional<HoldRankings.Choice> best() {
        buckets.normalise(zoneCounts::in);
        int best = -1;
        long most = -1;
        for (int place = 0; place < count; place++) {
            long total = buckets.get(bucketOf[place]).shared + scores[place];
            if (total > most || (total == most && table.precedes(slots[place], slots[best]))) {
                best = place;
                most = total;
            }
        }
        @Nullable Offer offer = best < 0 ? null : offers[best];
        return offer == null ? Optional.empty() : Optional.of(new HoldRankings.Choice(slots[best], most, offer));
    }
}
