package dev.berth.core.queue;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.placement.filter.Hint;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The refused pods, by what they wait for: a happening that can help none of them costs nothing, and one that can help
 * costs as much as there are different remedies for it, not as there are pods.
 */
final class WaitingPods {
    private final TreeSet<QueuedPod> byRefusal = new TreeSet<>(QueuedPod.BY_REFUSAL);
    private final Map<Remedy, Group> groups = new HashMap<>();
    private final Map<Hint, Set<Group>> byHint = new EnumMap<>(Hint.class);

    /** Those who wait for the same. */
    private static final class Group {
        private final Remedy remedy;
        private final TreeSet<QueuedPod> pods = new TreeSet<>(QueuedPod.BY_REFUSAL);
        private final EnumSet<Hint> filed = EnumSet.noneOf(Hint.class);

        Group(Remedy remedy) {
            this.remedy = remedy;
        }
    }

    boolean isEmpty() {
        return byRefusal.isEmpty();
    }

    /** Who was refused the longest ago. */
    QueuedPod first() {
        return byRefusal.first();
    }

    boolean awaits(Remedy remedy) {
        return groups.containsKey(remedy);
    }

    void add(QueuedPod pod) {
        byRefusal.add(pod);
        Group group = groups.computeIfAbsent(pod.remedy, Group::new);
        group.pods.add(pod);
        file(group);
    }

    void remove(QueuedPod pod) {
        byRefusal.remove(pod);
        pod.remedy.left(pod.uid);
        Group group = groups.get(pod.remedy);
        if (group != null && group.pods.remove(pod) && group.pods.isEmpty()) {
            groups.remove(pod.remedy);
            group.filed.forEach(hint -> filedUnder(hint).remove(group));
        }
    }

    /** Those whom the happening may help. */
    List<QueuedPod> helpedBy(Happening happening) {
        List<QueuedPod> helped = new ArrayList<>();
        for (Group group : askedAbout(happening)) {
            Optional<Set<PodUid>> exceptions =
                    group.pods.size() == 1 ? Optional.empty() : group.remedy.exceptions(happening);
            addHelped(group, exceptions, happening, helped);
            file(group);
        }
        return helped;
    }

    /** Asks about each of the exceptions and once for all others; about each pod where everything is an exception. */
    private static void addHelped(
            Group group, Optional<Set<PodUid>> exceptions, Happening happening, List<QueuedPod> helped) {
        Optional<Boolean> others = Optional.empty();
        int left = exceptions.map(Set::size).orElse(0);
        for (QueuedPod pod : group.pods) {
            boolean alone = exceptions.isEmpty() || exceptions.get().contains(pod.uid);
            if (alone) {
                left--;
            } else if (others.isEmpty()) {
                others = Optional.of(group.remedy.mayComeFrom(happening, pod.uid));
            }
            if (alone ? group.remedy.mayComeFrom(happening, pod.uid) : others.orElse(false)) {
                helped.add(pod);
            }
            if (exceptions.isPresent() && left == 0 && !others.orElse(true)) {
                return;
            }
        }
    }

    private Collection<Group> askedAbout(Happening happening) {
        Set<Group> asked = new LinkedHashSet<>();
        for (Hint hint : happening.hints()) {
            asked.addAll(filedUnder(hint));
        }
        return asked;
    }

    private void file(Group group) {
        for (Hint hint : group.remedy.hints()) {
            if (group.filed.add(hint)) {
                filedUnder(hint).add(group);
            }
        }
    }

    private Set<Group> filedUnder(Hint hint) {
        return byHint.computeIfAbsent(hint, same -> new LinkedHashSet<>());
    }
}
