package dev.berth.core.decision;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.OwnerRule;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.Kin;
import dev.berth.core.placement.filter.Hint;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.placement.shape.Recent;
import dev.berth.core.queue.Standing;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Has those who were refused wait for what can help them: pods of one kin for the same. */
final class Refusals {
    /** Beyond this many kinds of pods some wait apart from their kin, which costs time and nothing else. */
    private static final int MOST = 1024;

    /** About how many bytes these kinds of pods may retain. */
    private static final long MOST_BYTES = 16L << 20;

    private final Office office;
    private final Seekers seekers;
    private final Doors doors;
    private final Recent<Waiting, RefusalRemedy> remedies = new Recent<>(MOST, MOST_BYTES);

    /** Those for whom the same is said: pods of one kin to whom the same others give way. */
    private record Waiting(Kin kin, int priority, boolean preempting) {}

    Refusals(Office office, Seekers seekers, Doors doors) {
        this.office = office;
        this.seekers = seekers;
        this.doors = doors;
    }

    /** @param what the kinds of events that can help the pod */
    void await(Pod pod, Set<Hint> what, HoldUse use, Instant now) {
        Set<Hint> hints = EnumSet.copyOf(what);
        hints.addAll(office.placer().hintsAtOwnHolds(pod, use));
        RefusalRemedy remedy = office.placer()
                .kin(pod, use)
                .map(kin -> shared(new Waiting(kin, pod.priority(), pod.preempting()), hints))
                .orElseGet(() -> remedy(hints, use));
        office.queue().refused(pod.uid(), remedy, now);
        if (office.queue().standing(pod.uid()).equals(Optional.of(Standing.WAITING))) {
            remedy.joined(pod);
        }
    }

    private RefusalRemedy shared(Waiting waiting, Set<Hint> hints) {
        Optional<RefusalRemedy> known =
                remedies.find(waiting).filter(it -> office.queue().awaits(it));
        if (known.isPresent()) {
            known.get().add(hints);
            return known.get();
        }
        RefusalRemedy remedy = remedy(hints, waiting.kin().use());
        remedies.put(waiting, remedy, waiting.kin().retainedBytes());
        return remedy;
    }

    private RefusalRemedy remedy(Set<Hint> hints, HoldUse use) {
        return new RefusalRemedy(hints, new RefusalRemedy.Questions() {
            /** The pod is asked for when something happened: it may have changed since it was refused. */
            @Override
            public Optional<Pod> pod(PodUid uid) {
                return seekers.find(uid).or(() -> office.ledger().pod(uid));
            }

            @Override
            public List<Veto> vetoes(PodUid uid, NodeState node) {
                return pod(uid).map(pod -> office.placer().vetoes(pod, node, use))
                        .orElse(List.of());
            }

            /** Nobody gives way to what only looks for a place. */
            @Override
            public Help help(PodUid uid, NodeState node) {
                return office.ledger()
                        .pod(uid)
                        .map(pod -> doors.helpOn(node, pod))
                        .orElse(Help.NONE);
            }

            @Override
            public Set<Hint> lifting(PodUid uid, NodeState node) {
                return pod(uid).map(pod -> office.placer().hints(pod, node, use))
                        .orElse(Set.of());
            }

            @Override
            public Collection<OwnerRule> rulesOn(NodeState node) {
                Set<OwnerRule> rules = new HashSet<>();
                for (HoldId id : node.holds()) {
                    office.ledger().hold(id).ifPresent(hold -> rules.add(hold.rule()));
                }
                return rules;
            }

            @Override
            public boolean concerns(PodUid uid, Pod other) {
                return pod(uid).filter(pod -> office.placer().concerns(pod, other))
                        .isPresent();
            }
        });
    }
}
