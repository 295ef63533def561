package dev.berth.core.ledger;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.AllocatePolicy;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The holds that draw on one hold, the source, in the order of their ids: draw(n, h) = min(size(n) − credits from backers of n
 * that do not claim h, size(h) − claims of h that stay − earlier draws on h), in every resource of h. While the backers exist,
 * their requests are not drawn a second time: if n ends before they leave, h needs all of its own resources.
 *
 * <p>Where the source has enough of a resource for all drawing holds, the order is irrelevant, and a change of one hold costs
 * nothing for the others. Where a resource is scarce, a change affects the holds after it, until one finds the same rest as
 * before.
 */
final class DrawAllocator {
    /** A hold that names the source. It may not be allowed to draw. */
    private static final class DrawingHold {
        private final Hold hold;
        /**
         * What it wants from the source: its size minus the credits from backers that do not claim the source. Empty where it may
         * not draw.
         */
        private final Optional<Resources> wanted;
        /** What the holds before it take of the scarce resources; empty until this is computed. */
        private Optional<Resources> before = Optional.empty();
        /** What it draws, which may be zero; empty while it does not draw. */
        private Optional<Resources> taken = Optional.empty();

        private DrawingHold(Hold hold, Optional<Resources> wanted) {
            this.hold = hold;
            this.wanted = wanted;
        }
    }

    private final HoldId sourceId;
    private final ClaimResolver claimResolver;
    private final TreeMap<HoldId, DrawingHold> drawingHolds = new TreeMap<>();
    private final TreeSet<HoldId> changed = new TreeSet<>();

    /** What the holds that may draw want together, and their sizes together, in the dimensions of the source. */
    private Resources wanted = Resources.NONE;

    private Resources sizes = Resources.NONE;
    private Resources given = Resources.NONE;
    /** Whether the sum reached the end of the range of a long, and is wrong since then. */
    private boolean givenWasCapped;

    private int drawing;

    /** The source as of the last {@link #distribute}, with what was left of it and which of its resources were scarce. */
    private Optional<Hold> source = Optional.empty();

    private List<Claim> sourceClaims = List.of();
    private Resources left = Resources.NONE;
    private Resources scarce = Resources.NONE;

    /** @param sourceId the hold that other holds draw on, whether it exists or not */
    DrawAllocator(HoldId sourceId, ClaimResolver claimResolver) {
        this.sourceId = sourceId;
        this.claimResolver = claimResolver;
    }

    boolean isEmpty() {
        return drawingHolds.isEmpty() && changed.isEmpty();
    }

    /** The hold names the source now or no longer, or something changed that its draw depends on. */
    void markChanged(HoldId id) {
        changed.add(id);
    }

    int count() {
        return drawing;
    }

    /** What all holds draw together. */
    Resources given() {
        return drawing == 0 ? Resources.NONE : given;
    }

    /** What the hold draws; empty where it may not draw. */
    Optional<Resources> takenBy(HoldId id) {
        return Optional.ofNullable(drawingHolds.get(id)).flatMap(drawingHold -> drawingHold.taken);
    }

    /**
     * Recomputes all draws.
     *
     * @param of the balance of the source; null while the source does not exist
     * @param entries the balances of the holds on the node
     * @return the holds whose draws may have changed
     */
    Set<HoldId> distribute(@Nullable HoldBalance of, Map<HoldId, HoldBalance> entries) {
        boolean sourceChanged = !isSameSource(of);
        if (sourceChanged) {
            changed.addAll(drawingHolds.keySet());
        }
        source = Optional.ofNullable(of).map(HoldBalance::hold);
        sourceClaims = of == null ? List.of() : of.claims();
        Set<HoldId> affected = new HashSet<>(changed);
        refreshDrawingHolds(affected, of, entries, sourceChanged);
        Resources leftNow = of == null ? Resources.NONE : of.drawable();
        Resources scarceNow = of == null ? Resources.NONE : scarce(of.hold(), leftNow);
        boolean affectsAll = sourceChanged
                || !sameNames(scarce, scarceNow)
                || !left.inDimensionsOf(scarceNow).equals(leftNow.inDimensionsOf(scarceNow));
        left = leftNow;
        scarce = scarceNow;
        if (affectsAll) {
            drawingHolds.values().forEach(drawingHold -> drawingHold.before = Optional.empty());
            changed.addAll(drawingHolds.keySet());
        }
        while (!changed.isEmpty()) {
            distributeFrom(changed.first(), affected);
        }
        if (givenWasCapped) {
            given = Resources.NONE;
            drawingHolds
                    .values()
                    .forEach(drawingHold -> drawingHold.taken.ifPresent(amount -> given = given.plus(amount)));
            givenWasCapped = false;
        }
        return affected;
    }

    /** Whether nothing changed that decides which holds may draw on the source. */
    private boolean isSameSource(@Nullable HoldBalance of) {
        if (of == null || source.isEmpty()) {
            return of == null && source.isEmpty();
        }
        Hold before = source.get();
        Hold now = of.hold();
        boolean sameSpec = before.equals(now)
                || (before.ownerRule().equals(now.ownerRule())
                        && before.draw().isPresent() == now.draw().isPresent()
                        && before.isNomination() == now.isNomination()
                        && before.policy().equals(now.policy())
                        && before.allocateOnce() == now.allocateOnce()
                        && before.size().hasSameNamesAndAmounts(now.size()));
        return sameSpec && (!now.allocateOnce() || sourceClaims.equals(of.claims()));
    }

    private static boolean sameNames(Resources one, Resources other) {
        return one.toMap().keySet().equals(other.toMap().keySet());
    }

    /** Reads these holds again. */
    private void refreshDrawingHolds(
            Set<HoldId> ids, @Nullable HoldBalance of, Map<HoldId, HoldBalance> entries, boolean areAll) {
        boolean capped = wanted.isCapped() || sizes.isCapped();
        for (HoldId id : ids) {
            @Nullable DrawingHold before = drawingHolds.remove(id);
            if (before != null) {
                before.wanted.ifPresent(amount -> {
                    wanted = wanted.minus(amount);
                    sizes = sizes.minus(before.hold.size().inDimensionsOf(amount));
                });
                setTaken(before, Optional.empty());
            }
        }
        for (HoldId id : ids) {
            @Nullable HoldBalance entry = entries.get(id);
            if (entry != null && drawsOnSource(entry.hold())) {
                DrawingHold drawingHold =
                        new DrawingHold(entry.hold(), of == null ? Optional.empty() : wanted(of, entry));
                drawingHolds.put(id, drawingHold);
                count(drawingHold);
            }
        }
        if (areAll || capped) {
            wanted = Resources.NONE;
            sizes = Resources.NONE;
            drawingHolds.values().forEach(this::count);
        }
        given = areAll ? Resources.NONE : given;
    }

    private boolean drawsOnSource(Hold hold) {
        return hold.draw().filter(draw -> draw.source().equals(sourceId)).isPresent();
    }

    private void count(DrawingHold drawingHold) {
        drawingHold.wanted.ifPresent(amount -> {
            wanted = wanted.plus(amount);
            sizes = sizes.plus(drawingHold.hold.size().inDimensionsOf(amount));
        });
    }

    private void setTaken(DrawingHold drawingHold, Optional<Resources> amount) {
        given = drawingHold.taken.map(given::minus).orElse(given);
        given = amount.map(given::plus).orElse(given);
        givenWasCapped |= given.isCapped();
        drawing += (amount.isPresent() ? 1 : 0) - (drawingHold.taken.isPresent() ? 1 : 0);
        drawingHold.taken = amount;
    }

    private Optional<Resources> wanted(HoldBalance of, HoldBalance drawing) {
        Hold hold = drawing.hold();
        // A source that was closed since then still holds its resources, and the draw is a part of them.
        if (of.isClaimedByNonBackerOf(hold) || !hold.mayDrawOn(of.hold())) {
            return Optional.empty();
        }
        Resources amount = hold.size().minus(drawing.backed());
        for (Map.Entry<PodUid, Resources> part : drawing.creditByBacker().entrySet()) {
            amount = claimResolver.hasClaimOn(part.getKey(), sourceId) ? amount.plus(part.getValue()) : amount;
        }
        return Optional.of(amount.inDimensionsOf(of.hold().size()).atLeastZero());
    }

    /**
     * The resources for which the order of the holds matters. A hold that does not get all of a restricted resource does not draw
     * at all. So if a restricted resource is scarce, the order matters for all resources.
     */
    private Resources scarce(Hold of, Resources available) {
        Resources found = Resources.NONE;
        Set<ResourceName> restricted =
                of.policy() instanceof AllocatePolicy.Restricted policy ? policy.resources() : Set.of();
        for (int i = 0; i < of.size().size(); i++) {
            ResourceName name = of.size().nameAt(i);
            if (restricted.contains(name) && exceeds(sizes.get(name), available.get(name))) {
                return of.size();
            }
            found = exceeds(wanted.get(name), available.get(name)) ? found.with(name, 0) : found;
        }
        return found;
    }

    private static boolean exceeds(long sum, long available) {
        return sum > available || sum == Long.MAX_VALUE;
    }

    /** Recomputes the draws of the hold and of the holds after it, until one of them finds the same rest as before. */
    private void distributeFrom(HoldId from, Set<HoldId> affected) {
        changed.remove(from);
        Resources before = takenBefore(from);
        boolean isFirst = drawingHolds.containsKey(from);
        for (Map.Entry<HoldId, DrawingHold> next :
                drawingHolds.tailMap(from, true).entrySet()) {
            DrawingHold drawingHold = next.getValue();
            boolean mustRecompute = isFirst || changed.remove(next.getKey());
            isFirst = false;
            if (!mustRecompute && drawingHold.before.equals(Optional.of(before))) {
                return;
            }
            drawingHold.before = Optional.of(before);
            Optional<Resources> amount =
                    drawingHold.wanted.flatMap(want -> share(drawingHold.hold, want, drawingHold.before.get()));
            if (!amount.equals(drawingHold.taken)) {
                setTaken(drawingHold, amount);
                affected.add(next.getKey());
            }
            before = amount.isPresent() ? before.plus(amount.get().inDimensionsOf(scarce)) : before;
        }
    }

    private Resources takenBefore(HoldId id) {
        Map.@Nullable Entry<HoldId, DrawingHold> previous = drawingHolds.lowerEntry(id);
        Resources nothing = Resources.NONE.inDimensionsOf(scarce);
        if (previous == null) {
            return nothing;
        }
        DrawingHold drawingHold = previous.getValue();
        Resources before = drawingHold.before.orElse(nothing);
        return drawingHold
                .taken
                .map(amount -> before.plus(amount.inDimensionsOf(scarce)))
                .orElse(before);
    }

    private Optional<Resources> share(Hold hold, Resources amount, Resources before) {
        Resources available = left.minus(before).atLeastZero();
        return source.filter(of -> fits(hold, of, available)).map(of -> amount.min(available));
    }

    /** A restricted resource comes completely from the source, or the source cannot be used. */
    private static boolean fits(Hold drawing, Hold source, Resources left) {
        if (source.policy() instanceof AllocatePolicy.Restricted restricted) {
            for (ResourceName name : restricted.resources()) {
                if (source.size().has(name) && drawing.size().get(name) > left.get(name)) {
                    return false;
                }
            }
        }
        return true;
    }
}
