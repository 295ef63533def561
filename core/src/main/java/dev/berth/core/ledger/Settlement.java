package dev.berth.core.ledger;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.HoldState.Draws;
import dev.berth.core.persistent.PackedMap;
import dev.berth.core.resource.Resources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What the holds of one node keep: outstanding(h) = max(0, size − claims − backers − draws). Worked out in three stages,
 * each only for what the stage before it or some news changed: the hold's own claims, then {@link Credits}, which say
 * which pod's room counts towards which hold, then {@link Drawers}, which say what holds draw on each other. No stage
 * reads what a later one found.
 */
final class Settlement {
    private final Claims claims;
    private final Map<HoldId, HoldEntry> entries = new HashMap<>();
    private final Credits credits;
    /** By the hold that is drawn on. */
    private final Map<HoldId, Drawers> drawers = new HashMap<>();
    /** Those of them whose draws must be looked at again. */
    private final Set<HoldId> changedSources = new HashSet<>();
    /** Holds whose source is there and on which they may not draw. */
    private final TreeSet<HoldId> undrawn = new TreeSet<>();

    /** Holds that appeared, changed or went, or whose claims did. */
    private final Set<HoldId> changed = new HashSet<>();
    /** Pods that back holds, or did, and that came, went or changed, or whose holds or claims did. */
    private final Set<PodUid> changedBackers = new HashSet<>();

    Settlement(Claims claims) {
        this.claims = claims;
        this.credits = new Credits(entries, claims);
    }

    void put(Hold hold) {
        credits.put(hold);
        touch(hold);
    }

    void remove(Hold hold) {
        credits.remove(hold);
        touch(hold);
    }

    private void touch(Hold hold) {
        changed.add(hold.id());
        changedBackers.addAll(hold.backers());
        touchDraw(hold);
    }

    private void touchDraw(Hold hold) {
        hold.draw().ifPresent(draw -> {
            changedSources.add(draw.on());
            drawersOf(draw.on()).touch(hold.id());
        });
    }

    private Drawers drawersOf(HoldId source) {
        return drawers.computeIfAbsent(source, id -> new Drawers(id, claims));
    }

    /** The pod came, went or changed. Says whether that concerns a hold. */
    boolean moved(PodUid pod) {
        if (credits.isBacker(pod)) {
            changedBackers.add(pod);
            return true;
        }
        return false;
    }

    /** The holds that the pod backs, in the order of their ids. */
    List<HoldId> backedBy(PodUid pod) {
        return List.copyOf(credits.backedBy(pod));
    }

    /**
     * Brings everything up to date.
     *
     * @param holds of the node
     * @param news of their claims
     * @param counting the pods that use the node
     * @return the states that may be new
     */
    List<HoldState> settle(
            String nodeName, Map<HoldId, Hold> holds, Claims.News news, PackedMap<PodUid, Pod> counting) {
        changed.addAll(news.holds());
        changedBackers.addAll(news.pods());
        changed.forEach(id -> refresh(id, holds.get(id), counting));
        Set<HoldId> concerned = new HashSet<>(changed);
        // On most nodes no hold is linked with another.
        if (credits.areNone()) {
            countUse(counting);
        } else {
            concerned.addAll(credit(counting));
        }
        if (!drawers.isEmpty()) {
            concerned.addAll(draw(Set.copyOf(concerned)));
        }
        changed.clear();
        changedBackers.clear();
        List<HoldState> states = new ArrayList<>(concerned.size());
        for (HoldId id : concerned) {
            @Nullable HoldEntry entry = entries.get(id);
            if (entry != null) {
                states.add(entry.state(nodeName, drawsOf(entry.hold())));
            }
        }
        return states;
    }

    private void refresh(HoldId id, @Nullable Hold hold, PackedMap<PodUid, Pod> counting) {
        if (hold == null) {
            entries.remove(id);
            return;
        }
        HoldEntry entry = entries.computeIfAbsent(id, same -> new HoldEntry(hold));
        entry.refresh(hold, claims.on(id).values(), counting);
    }

    private void countUse(PackedMap<PodUid, Pod> counting) {
        for (HoldId id : changed) {
            @Nullable HoldEntry entry = entries.get(id);
            if (entry != null) {
                entry.countUse(credits, counting);
            }
        }
    }

    /** The second stage. Returns the holds to which something else is credited, and those whose claims have other room. */
    private Set<HoldId> credit(PackedMap<PodUid, Pod> counting) {
        SortedSet<HoldId> group = credits.linkedWith(changed, changedBackers);
        Set<PodUid> pods = new HashSet<>(changedBackers);
        group.forEach(id -> pods.addAll(entry(id).hold().backers()));
        Map<PodUid, Resources> before = credits.rests(pods);
        credits.credit(group, changedBackers, counting);
        countUse(counting);
        Set<HoldId> concerned = new HashSet<>(group);
        Map<PodUid, Resources> after = credits.rests(pods);
        for (PodUid pod : pods) {
            Resources all = Credits.requests(counting.get(pod));
            Resources room = before.getOrDefault(pod, all);
            Resources roomNow = after.getOrDefault(pod, all);
            Optional<HoldId> claimed = claims.by(pod).map(Claim::hold).filter(id -> !changed.contains(id));
            if (claimed.isPresent() && !room.equals(roomNow)) {
                HoldEntry entry = entry(claimed.get());
                if (!entry.changeUse(room, roomNow)) {
                    entry.countUse(credits, counting);
                }
                concerned.add(claimed.get());
            }
        }
        return concerned;
    }

    /** The third stage. Returns the holds that draw, or are drawn on, otherwise than before. */
    private Set<HoldId> draw(Set<HoldId> concerned) {
        for (HoldId id : concerned) {
            @Nullable HoldEntry entry = entries.get(id);
            if (entry != null) {
                touchDraw(entry.hold());
            }
            if (drawers.containsKey(id)) {
                changedSources.add(id);
            }
        }
        Set<HoldId> found = new HashSet<>(changedSources);
        for (HoldId source : changedSources) {
            Drawers its = drawersOf(source);
            for (HoldId id : its.distribute(entries.get(source), entries)) {
                found.add(id);
                noteUndrawn(id);
            }
            if (its.isEmpty()) {
                drawers.remove(source);
            }
        }
        changedSources.clear();
        return found;
    }

    private void noteUndrawn(HoldId id) {
        @Nullable HoldEntry entry = entries.get(id);
        boolean undrawnNow = entry != null
                && entry.hold()
                        .draw()
                        .filter(draw -> entries.containsKey(draw.on()))
                        .isPresent()
                && drawsOf(entry.hold()).on().isEmpty();
        if (undrawnNow) {
            undrawn.add(id);
        } else {
            undrawn.remove(id);
        }
    }

    private Draws drawsOf(Hold hold) {
        @Nullable Drawers its = drawers.get(hold.id());
        Optional<HoldId> source = hold.draw().map(draw -> draw.on());
        Optional<Resources> taken = source.map(drawers::get).flatMap(there -> there.takenBy(hold.id()));
        if (its == null && taken.isEmpty()) {
            return Draws.NONE;
        }
        return new Draws(
                its == null ? 0 : its.count(),
                its == null ? Resources.NONE : its.given(),
                taken.isPresent() ? source : Optional.empty(),
                taken.orElse(Resources.NONE));
    }

    private HoldEntry entry(HoldId id) {
        return HoldEntry.of(id, entries);
    }

    boolean hasUndrawn() {
        return !undrawn.isEmpty();
    }

    /**
     * The holds that can no longer draw on the hold that they were part of, and that the node has no room for beside it, in
     * the order of their ids. One that draws only a part is not among them: what it lacks it had from the node.
     *
     * @param free the node's free room
     */
    List<Hold> brokenDraws(Resources free) {
        if (undrawn.isEmpty() || free.atLeastZero().equals(free)) {
            return List.of();
        }
        List<Hold> broken = new ArrayList<>();
        for (HoldId id : undrawn) {
            Hold hold = entry(id).hold();
            Hold source = entry(hold.draw().orElseThrow().on()).hold();
            if (lacks(hold.size().min(source.size()), free)) {
                broken.add(hold);
            }
        }
        return broken;
    }

    private static boolean lacks(Resources could, Resources free) {
        for (int i = 0; i < could.size(); i++) {
            if (free.get(could.nameAt(i)) < 0 && could.amountAt(i) > 0) {
                return true;
            }
        }
        return false;
    }
}
