package dev.berth.core.door.comeback;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a process started without history cannot know, because nothing of it was ever written: a pod that was deleted
 * before its batch of the checkpoint, and that a place was taken, if its taker went before its own batch and the
 * Reservation could not be marked; and that a pod had ended by itself or was evicted, if that was before the next batch.
 */
final class Unknowable {
    private static final Duration A_BATCH = Duration.ofSeconds(1);

    private final Scene scene;
    private final Map<String, Pod> seen = new HashMap<>();
    /** Since when this process knows the pod as it is. */
    private final Map<String, Instant> since = new HashMap<>();
    /** Pods for which there was a batch, as they last looked: whether they are in the checkpoint or not, the door could know. */
    private final Set<String> hadBatch = new HashSet<>();

    /** By the UID of the pod that left, places that may be kept once more. */
    private final Map<String, Pod> doubtful = new HashMap<>();

    Unknowable(Scene scene) {
        this.scene = scene;
    }

    /** Called after each step. */
    void look() {
        scene.pods().stream()
                .filter(pod -> pod.nodeName().isPresent())
                .forEach(pod -> seen.put(pod.uid().value(), pod));
    }

    /** Called after each step in which the API server takes and answers writes of the checkpoint. */
    void batches() {
        Instant now = scene.clock.instant();
        for (Pod pod : scene.pods()) {
            if (pod.nodeName().isPresent()
                    && !since.computeIfAbsent(state(pod), key -> now)
                            .plus(A_BATCH)
                            .isAfter(now)) {
                hadBatch.add(state(pod));
            }
        }
    }

    private static String state(Pod pod) {
        return pod.uid().value() + (pod.phase().terminal() ? " ended" : "") + (isEvicted(pod) ? " evicted" : "");
    }

    private static boolean isEvicted(Pod pod) {
        return pod.deletionRequested().isPresent() && pod.deletionRequested().equals(pod.preemptedAt());
    }

    private static boolean leavesNoPlace(Pod pod) {
        return (pod.phase().terminal() && !pod.terminating()) || isEvicted(pod);
    }

    private boolean couldBeWritten(Pod pod) {
        return scene.checkpoint().everWritten().contains(pod.uid())
                || hadBatch.contains(pod.uid().value());
    }

    void killed(List<Pod> gone, List<Pod> told, Departed departed, Map<String, String> taken) {
        look();
        for (Pod pod : gone) {
            if (!couldBeWritten(pod)) {
                departed.forget(pod.uid().value());
            }
        }
        // The batch that says so was not written: a place is kept although the pod had ended or was evicted.
        scene.checkpoint().leavingPlaces().stream()
                .flatMap(uid -> Optional.ofNullable(seen.get(uid.value())).stream())
                .filter(pod -> leavesNoPlace(pod) && !hadBatch.contains(state(pod)))
                .forEach(pod -> doubtful.put(pod.uid().value(), pod));
        taken.entrySet().removeIf(entry -> {
            boolean unknown = !isKnown(entry.getKey(), entry.getValue(), told);
            if (unknown) {
                doubtful.put(entry.getKey(), pod(entry.getKey()));
                departed.forget(entry.getKey());
            }
            return unknown;
        });
        since.clear();
    }

    private boolean isKnown(String left, String taker, List<Pod> told) {
        return couldBeWritten(pod(taker))
                || scene.pods().stream().anyMatch(pod -> pod.uid().value().equals(taker))
                || told.stream().anyMatch(pod -> pod.uid().value().equals(taker))
                || scene.reservations().stream()
                        .filter(name -> !HandWritten.isOne(name))
                        .flatMap(name -> scene.reservation(name).stream())
                        .anyMatch(it -> it.podUid().equals(left) && it.matched());
    }

    private Pod pod(String uid) {
        Pod pod = seen.get(uid);
        if (pod == null) {
            throw new IllegalStateException("pod (%s) was never bound".formatted(uid));
        }
        return pod;
    }

    /** Whether a place on the node may be kept once more, so that other places there may lack room. */
    boolean isDoubtful(String node) {
        return doubtful.values().stream()
                .anyMatch(pod -> pod.nodeName().filter(node::equals).isPresent());
    }

    /** Whether the place that the pod left may be kept once more. */
    boolean isDoubtful(PodUid left) {
        return doubtful.containsKey(left.value());
    }

    /** The node that the pod was on. */
    String nodeOf(String uid) {
        return pod(uid).nodeName().orElseThrow();
    }

    String nameOf(String uid) {
        return pod(uid).name();
    }
}
