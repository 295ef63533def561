package dev.berth.core.volume.binding;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.reconcile.Timers;
import dev.berth.core.volume.ClaimKey;
import dev.berth.core.volume.PersistentVolume.ClaimRef;
import dev.berth.core.volume.filter.Assumed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The pods that wait for their volumes, and which are to be looked at again because something changed. */
final class Tasks implements Assumed {
    /** The oldest first. */
    private final Map<PodUid, Task> tasks = new LinkedHashMap<>();

    private final Timers<PodUid> deadlines = new Timers<>();

    private final Map<Pledge, Set<PodUid>> makers = new HashMap<>();
    private final Map<String, Pledge.Reserved> byVolume = new HashMap<>();
    private final Map<ClaimKey, Pledge> byClaim = new HashMap<>();
    private final Set<PodUid> touched = new TreeSet<>();
    private long generation;

    void add(Task task) {
        generation++;
        tasks.put(task.pod(), task);
        deadlines.set(task.pod(), task.deadline());
        touched.add(task.pod());
        for (Pledge pledge : task.pledges()) {
            makers.computeIfAbsent(pledge, any -> new TreeSet<>()).add(task.pod());
            byClaim.put(pledge.claimKey(), pledge);
            if (pledge instanceof Pledge.Reserved reserved) {
                byVolume.put(reserved.volume(), reserved);
            }
        }
    }

    /**
     * The pod waits no longer. The second time changes nothing.
     *
     * @return the pledges that nobody makes any more
     */
    List<Pledge> remove(PodUid pod) {
        List<Pledge> over = new ArrayList<>();
        Task task = tasks.remove(pod);
        deadlines.clear(pod);
        touched.remove(pod);
        if (task != null) {
            generation++;
            for (Pledge pledge : task.pledges()) {
                if (withdraw(pledge, pod)) {
                    over.add(pledge);
                }
            }
        }
        return over;
    }

    private boolean withdraw(Pledge pledge, PodUid pod) {
        Set<PodUid> others = makers.getOrDefault(pledge, new TreeSet<>());
        others.remove(pod);
        if (!others.isEmpty()) {
            return false;
        }
        makers.remove(pledge);
        byClaim.remove(pledge.claimKey(), pledge);
        if (pledge instanceof Pledge.Reserved reserved) {
            byVolume.remove(reserved.volume(), reserved);
        }
        return true;
    }

    Optional<Task> of(PodUid pod) {
        return Optional.ofNullable(tasks.get(pod));
    }

    List<Task> on(String node) {
        return tasks.values().stream().filter(task -> task.node().equals(node)).toList();
    }

    void touchVolume(String volume) {
        touch(Optional.ofNullable(byVolume.get(volume)));
    }

    void touchClaim(ClaimKey claim) {
        touch(Optional.ofNullable(byClaim.get(claim)));
    }

    /** The pods that wait for this object. */
    void touch(Pledge.Target target) {
        touch(pledge(target));
    }

    private void touch(Optional<? extends Pledge> pledge) {
        pledge.ifPresent(it -> touched.addAll(makers.getOrDefault(it, Set.of())));
    }

    private Optional<? extends Pledge> pledge(Pledge.Target target) {
        return Optional.ofNullable(
                target.volume().isEmpty() ? byClaim.get(target.claim()) : byVolume.get(target.volume()));
    }

    /** The tasks that wait for this object. */
    List<Task> waitingFor(Pledge.Target target) {
        return tasks(pledge(target).map(it -> makers.getOrDefault(it, Set.of())).orElse(Set.of()));
    }

    /** Those that something happened to since they were last {@link #lookedAt}, and those whose time is over. */
    List<Task> due(Instant now) {
        touched.addAll(deadlines.expired(now));
        return tasks(touched);
    }

    private List<Task> tasks(Set<PodUid> pods) {
        return pods.stream().flatMap(pod -> of(pod).stream()).toList();
    }

    /** The task is not due any more, before something else happens to it. */
    void lookedAt(Task task) {
        touched.remove(task.pod());
    }

    Optional<Instant> nextDeadline() {
        return deadlines.next();
    }

    boolean isEmpty() {
        return tasks.isEmpty();
    }

    @Override
    public Optional<ClaimRef> claimOf(String volume) {
        return Optional.ofNullable(byVolume.get(volume)).map(Pledge.Reserved::claim);
    }

    @Override
    public Optional<String> nodeOf(ClaimKey claim) {
        return byClaim.get(claim) instanceof Pledge.Selected selected ? Optional.of(selected.node()) : Optional.empty();
    }

    @Override
    public long generation() {
        return generation;
    }
}
