package dev.berth.core.ledger;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.HoldPolicy;
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
 * The holds that draw on one hold, the source, in the order of their ids: draw(n, h) = min(size(n) − what backers of n
 * bring that claim no room of h, size(h) − claims of h that stay − earlier draws on h), in every resource of h. As long as
 * backers are there, their room is not drawn a second time: should n end before they leave, h needs all of its own.
 *
 * <p>Where the source has a resource for all of them, the order is irrelevant and a change of one costs nothing for the
 * others. Where a resource is scarce, a change is passed on to the holds after it until one finds the same left as before.
 */
final class Drawers {
    /** One hold that draws, or would if it might. */
    private static final class Drawer {
        private final Hold hold;
        /**
         * What it wants from the source: its size minus what backers bring that claim no room of the source. Empty where it
         * may not draw.
         */
        private final Optional<Resources> wanted;
        /** Of what is scarce, what those before it take; empty until it was its turn. */
        private Optional<Resources> before = Optional.empty();
        /** Empty while it draws nothing, not even an amount of zero. */
        private Optional<Resources> taken = Optional.empty();

        private Drawer(Hold hold, Optional<Resources> wanted) {
            this.hold = hold;
            this.wanted = wanted;
        }
    }

    private final HoldId on;
    private final Claims claims;
    private final TreeMap<HoldId, Drawer> all = new TreeMap<>();
    private final TreeSet<HoldId> changed = new TreeSet<>();

    /** What those that may draw want and what their sizes are, together, in the dimensions of the source. */
    private Resources wanted = Resources.NONE;

    private Resources sizes = Resources.NONE;
    private Resources given = Resources.NONE;
    /** Whether the sum stood at the end of the range meanwhile, and says nothing since. */
    private boolean givenWasCapped;

    private int drawing;

    /** The source as of the last time that its room was distributed, with what was left of it and what of it was scarce. */
    private Optional<Hold> source = Optional.empty();

    private List<Claim> sourceClaims = List.of();
    private Resources left = Resources.NONE;
    private Resources scarce = Resources.NONE;

    /** @param on the hold that is drawn on, whether it exists or not */
    Drawers(HoldId on, Claims claims) {
        this.on = on;
        this.claims = claims;
    }

    boolean isEmpty() {
        return all.isEmpty() && changed.isEmpty();
    }

    /** The hold began or ceased to draw, or something changed that its draw depends on. */
    void touch(HoldId id) {
        changed.add(id);
    }

    int count() {
        return drawing;
    }

    /** What they draw together. */
    Resources given() {
        return drawing == 0 ? Resources.NONE : given;
    }

    /** What the hold draws; empty where it may not. */
    Optional<Resources> takenBy(HoldId id) {
        return Optional.ofNullable(all.get(id)).flatMap(drawer -> drawer.taken);
    }

    /**
     * Brings all draws up to date.
     *
     * @param of the source; null while there is none
     * @param entries of the holds on the node
     * @return the holds whose draws may have changed
     */
    Set<HoldId> distribute(@Nullable HoldEntry of, Map<HoldId, HoldEntry> entries) {
        boolean other = !isAsBefore(of);
        if (other) {
            changed.addAll(all.keySet());
        }
        source = Optional.ofNullable(of).map(HoldEntry::hold);
        sourceClaims = of == null ? List.of() : of.claims();
        Set<HoldId> concerned = new HashSet<>(changed);
        exchange(concerned, of, entries, other);
        Resources nowLeft = of == null ? Resources.NONE : of.left().atLeastZero();
        Resources nowScarce = of == null ? Resources.NONE : scarce(of.hold(), nowLeft);
        boolean everyone = other
                || !sameNames(scarce, nowScarce)
                || !left.onlyOf(nowScarce).equals(nowLeft.onlyOf(nowScarce));
        left = nowLeft;
        scarce = nowScarce;
        if (everyone) {
            all.values().forEach(drawer -> drawer.before = Optional.empty());
            changed.addAll(all.keySet());
        }
        while (!changed.isEmpty()) {
            passOn(changed.first(), concerned);
        }
        if (givenWasCapped) {
            given = Resources.NONE;
            all.values().forEach(drawer -> drawer.taken.ifPresent(amount -> given = given.plus(amount)));
            givenWasCapped = false;
        }
        return concerned;
    }

    /** Whether all that decides which holds may draw on the source is the same. */
    private boolean isAsBefore(@Nullable HoldEntry of) {
        if (of == null || source.isEmpty()) {
            return of == null && source.isEmpty();
        }
        Hold before = source.get();
        Hold now = of.hold();
        boolean sameTerms = before.equals(now)
                || (before.rule().equals(now.rule())
                        && before.draw().isPresent() == now.draw().isPresent()
                        && before.isNomination() == now.isNomination()
                        && before.policy().equals(now.policy())
                        && before.once() == now.once()
                        && before.size().isSame(now.size()));
        return sameTerms && (!now.once() || sourceClaims.equals(of.claims()));
    }

    private static boolean sameNames(Resources one, Resources other) {
        return one.toMap().keySet().equals(other.toMap().keySet());
    }

    /** Replaces what is known of these holds by what is true now. */
    private void exchange(Set<HoldId> ids, @Nullable HoldEntry of, Map<HoldId, HoldEntry> entries, boolean allOfThem) {
        boolean capped = wanted.isCapped() || sizes.isCapped();
        for (HoldId id : ids) {
            @Nullable Drawer before = all.remove(id);
            if (before != null) {
                before.wanted.ifPresent(amount -> {
                    wanted = wanted.minus(amount);
                    sizes = sizes.minus(before.hold.size().onlyOf(amount));
                });
                take(before, Optional.empty());
            }
        }
        for (HoldId id : ids) {
            @Nullable HoldEntry entry = entries.get(id);
            if (entry != null && isDrawer(entry.hold())) {
                Drawer drawer = new Drawer(entry.hold(), of == null ? Optional.empty() : wanted(of, entry));
                all.put(id, drawer);
                count(drawer);
            }
        }
        if (allOfThem || capped) {
            wanted = Resources.NONE;
            sizes = Resources.NONE;
            all.values().forEach(this::count);
        }
        given = allOfThem ? Resources.NONE : given;
    }

    private boolean isDrawer(Hold hold) {
        return hold.draw().filter(draw -> draw.on().equals(on)).isPresent();
    }

    private void count(Drawer drawer) {
        drawer.wanted.ifPresent(amount -> {
            wanted = wanted.plus(amount);
            sizes = sizes.plus(drawer.hold.size().onlyOf(amount));
        });
    }

    private void take(Drawer drawer, Optional<Resources> amount) {
        given = drawer.taken.map(given::minus).orElse(given);
        given = amount.map(given::plus).orElse(given);
        givenWasCapped |= given.isCapped();
        drawing += (amount.isPresent() ? 1 : 0) - (drawer.taken.isPresent() ? 1 : 0);
        drawer.taken = amount;
    }

    private Optional<Resources> wanted(HoldEntry of, HoldEntry drawer) {
        Hold hold = drawer.hold();
        // A source that was closed since keeps its room, and the hold that draws on it is part of that.
        if (of.isTakenFrom(hold) || !hold.mayDrawOn(of.hold())) {
            return Optional.empty();
        }
        Resources amount = hold.size().minus(drawer.backed());
        for (Map.Entry<PodUid, Resources> part : drawer.parts().entrySet()) {
            amount = claims.isClaim(part.getKey(), on) ? amount.plus(part.getValue()) : amount;
        }
        return Optional.of(amount.onlyOf(of.hold().size()).atLeastZero());
    }

    /**
     * The resources in which the order of the holds matters. A hold that does not get all of a restricted resource draws on
     * nothing, so that one scarce resource among these makes all others depend on the order, too.
     */
    private Resources scarce(Hold of, Resources room) {
        Resources found = Resources.NONE;
        Set<ResourceName> restricted =
                of.policy() instanceof HoldPolicy.Restricted policy ? policy.resources() : Set.of();
        for (int i = 0; i < of.size().size(); i++) {
            ResourceName name = of.size().nameAt(i);
            if (restricted.contains(name) && isBeyond(sizes.get(name), room.get(name))) {
                return of.size();
            }
            found = isBeyond(wanted.get(name), room.get(name)) ? found.with(name, 0) : found;
        }
        return found;
    }

    private static boolean isBeyond(long sum, long room) {
        return sum > room || sum == Long.MAX_VALUE;
    }

    /** Gives the hold and those after it what they can draw, until one of them finds the same as before. */
    private void passOn(HoldId from, Set<HoldId> concerned) {
        changed.remove(from);
        Resources before = takenBefore(from);
        boolean own = all.containsKey(from);
        for (Map.Entry<HoldId, Drawer> next : all.tailMap(from, true).entrySet()) {
            Drawer drawer = next.getValue();
            boolean mustChange = own || changed.remove(next.getKey());
            own = false;
            if (!mustChange && drawer.before.equals(Optional.of(before))) {
                return;
            }
            drawer.before = Optional.of(before);
            Optional<Resources> amount = drawer.wanted.flatMap(its -> share(drawer.hold, its, drawer.before.get()));
            if (!amount.equals(drawer.taken)) {
                take(drawer, amount);
                concerned.add(next.getKey());
            }
            before = amount.isPresent() ? before.plus(amount.get().onlyOf(scarce)) : before;
        }
    }

    private Resources takenBefore(HoldId id) {
        Map.@Nullable Entry<HoldId, Drawer> previous = all.lowerEntry(id);
        Resources nothing = Resources.NONE.onlyOf(scarce);
        if (previous == null) {
            return nothing;
        }
        Drawer drawer = previous.getValue();
        Resources before = drawer.before.orElse(nothing);
        return drawer.taken.map(amount -> before.plus(amount.onlyOf(scarce))).orElse(before);
    }

    private Optional<Resources> share(Hold hold, Resources amount, Resources before) {
        Resources room = left.minus(before).atLeastZero();
        return source.filter(of -> fits(hold, of, room)).map(of -> amount.min(room));
    }

    /** Of what a hold restricts, its owner gets all from the hold or cannot use the hold. */
    private static boolean fits(Hold drawing, Hold source, Resources left) {
        if (source.policy() instanceof HoldPolicy.Restricted restricted) {
            for (ResourceName name : restricted.resources()) {
                if (source.size().has(name) && drawing.size().get(name) > left.get(name)) {
                    return false;
                }
            }
        }
        return true;
    }
}
