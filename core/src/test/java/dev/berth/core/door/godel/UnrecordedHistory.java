package dev.berth.core.door.godel;

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
 * What a restarted Berth without replay cannot know, because nothing was written. There are three cases. A pod was
 * deleted before its batch of the checkpoint. A hold was claimed, the successor was deleted before its own batch, and
 * the Reservation could not be marked. A pod finished or was evicted before the next batch.
 */
final class UnrecordedHistory {
    private static final Duration A_BATCH = Duration.ofSeconds(1);

    private final GodelScene scene;
    private final Map<String, Pod> seen = new HashMap<>();
    /** Since when this process knows the pod in its present state. */
    private final Map<String, Instant> since = new HashMap<>();
    /** Pods for which there was a batch, in their last state: in the checkpoint or not, the door could know. */
    private final Set<String> hadBatch = new HashSet<>();

    /** By the UID of the original pod, holds that may be held again. */
    private final Map<String, Pod> mayBeHeldAgain = new HashMap<>();

    UnrecordedHistory(GodelScene scene) {
        this.scene = scene;
    }

    /** Called after each step. */
    void observePods() {
        scene.pods().stream()
                .filter(pod -> pod.nodeName().isPresent())
                .forEach(pod -> seen.put(pod.uid().value(), pod));
    }

    /** Called after each step in which the API server accepts writes of the checkpoint. */
    void observeBatches() {
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
        return pod.uid().value() + (pod.phase().isTerminal() ? " ended" : "") + (isEvicted(pod) ? " evicted" : "");
    }

    private static boolean isEvicted(Pod pod) {
        return pod.deletionRequestedAt().isPresent()
                && pod.deletionRequestedAt().equals(pod.preemptedAt());
    }

    private static boolean isNotReservedOnDeletion(Pod pod) {
        return (pod.phase().isTerminal() && !pod.terminating()) || isEvicted(pod);
    }

    private boolean wasCheckpointable(Pod pod) {
        return scene.checkpoint().everWritten().contains(pod.uid())
                || hadBatch.contains(pod.uid().value());
    }

    void onRestart(
            List<Pod> gone, List<Pod> told, ExpectedReservations expectedReservations, Map<String, String> taken) {
        observePods();
        for (Pod pod : gone) {
            if (!wasCheckpointable(pod)) {
                expectedReservations.remove(pod.uid().value());
            }
        }
        // The batch was not written: the pod is held although it finished or was evicted.
        scene.checkpoint().podsReservedOnDeletion().stream()
                .flatMap(uid -> Optional.ofNullable(seen.get(uid.value())).stream())
                .filter(pod -> isNotReservedOnDeletion(pod) && !hadBatch.contains(state(pod)))
                .forEach(pod -> mayBeHeldAgain.put(pod.uid().value(), pod));
        taken.entrySet().removeIf(entry -> {
            boolean unknown = !isKnown(entry.getKey(), entry.getValue(), told);
            if (unknown) {
                mayBeHeldAgain.put(entry.getKey(), pod(entry.getKey()));
                expectedReservations.remove(entry.getKey());
            }
            return unknown;
        });
        since.clear();
    }

    private boolean isKnown(String left, String taker, List<Pod> told) {
        return wasCheckpointable(pod(taker))
                || scene.pods().stream().anyMatch(pod -> pod.uid().value().equals(taker))
                || told.stream().anyMatch(pod -> pod.uid().value().equals(taker))
                || scene.reservationNames().stream()
                        .filter(name -> !TenantReservations.isTenantReservation(name))
                        .flatMap(name -> scene.findReservation(name).stream())
                        .anyMatch(it -> it.originalPodUid().equals(left) && it.isMatched());
    }

    private Pod pod(String uid) {
        Pod pod = seen.get(uid);
        if (pod == null) {
            throw new IllegalStateException("pod (%s) was never bound".formatted(uid));
        }
        return pod;
    }

    /** Whether a hold on the node may be held again, so that other holds there may lack capacity. */
    boolean mayBeHeldAgain(String node) {
        return mayBeHeldAgain.values().stream()
                .anyMatch(pod -> pod.nodeName().filter(node::equals).isPresent());
    }

    /** Whether the hold of the original pod may be held again. */
    boolean mayBeHeldAgain(PodUid left) {
        return mayBeHeldAgain.containsKey(left.value());
    }

    /** The node of the pod. */
    String nodeOf(String uid) {
        return pod(uid).nodeName().orElseThrow();
    }

    String nameOf(String uid) {
        return pod(uid).name();
    }
}
