package dev.berth.core.door.globalreserve;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.text.ForeignText;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A group of pods and the nodes that their scheduler wants to bind them to.
 *
 * @param schedulerName the requesting scheduler
 */
public record ReserveRequest(String schedulerName, List<PodAssignment> assignments) {
    /** The limit of Kubernetes for a scheduler's name, which is part of the id of each hold. */
    private static final int MAX_NAME_LENGTH = 253;

    private static final int SHOWN_NAME_LENGTH = 20;

    /** One pod and its node. */
    public record PodAssignment(Pod pod, String nodeName) {}

    public ReserveRequest {
        assignments = List.copyOf(assignments);
    }

    static List<String> podNames(List<PodAssignment> podAssignments) {
        return podAssignments.stream()
                .map(podAssignment -> podAssignment.pod().name())
                .toList();
    }

    /** Why the name of the scheduler is invalid. */
    Optional<ReserveResponse> validateSchedulerName() {
        if (schedulerName.isBlank()) {
            return Optional.of(ReserveResponse.invalidRequest(ReserveResponse.SCHEDULER_NAME_MISSING));
        }
        return schedulerName.length() <= MAX_NAME_LENGTH
                ? Optional.empty()
                : Optional.of(ReserveResponse.invalidRequest("SchedulerName (%s) has %d characters; the maximum is %d"
                        .formatted(
                                ForeignText.truncate(schedulerName, SHOWN_NAME_LENGTH),
                                schedulerName.length(),
                                MAX_NAME_LENGTH)));
    }

    /** Why the request itself is invalid, independent of the cluster. */
    Optional<ReserveResponse> validate(int maxPods) {
        Optional<ReserveResponse> invalidName = validateSchedulerName();
        if (invalidName.isPresent()) {
            return invalidName;
        }
        if (assignments.size() > maxPods) {
            return Optional.of(ReserveResponse.invalidRequest(
                    "The group has %d pods; the maximum is %d".formatted(assignments.size(), maxPods)));
        }
        return rejectDuplicatePods().or(this::rejectFinishedPods);
    }

    private Optional<ReserveResponse> rejectDuplicatePods() {
        Set<PodUid> uids = new HashSet<>();
        List<PodAssignment> duplicates = assignments.stream()
                .filter(podAssignment -> !uids.add(podAssignment.pod().uid()))
                .toList();
        return rejection(
                duplicates,
                assignment -> "metadata.uid (%s) occurs twice in the group"
                        .formatted(assignment.pod().uid()));
    }

    private Optional<ReserveResponse> rejectFinishedPods() {
        List<PodAssignment> finished = assignments.stream()
                .filter(podAssignment -> podAssignment.pod().phase().isTerminal())
                .toList();
        return rejection(
                finished,
                assignment -> "status.phase (%s): the pod has finished and needs no place"
                        .formatted(assignment.pod().phase()));
    }

    private static Optional<ReserveResponse> rejection(
            List<PodAssignment> podAssignments, Function<PodAssignment, String> reason) {
        if (podAssignments.isEmpty()) {
            return Optional.empty();
        }
        List<String> details = podAssignments.stream()
                .map(podAssignment -> "Pod %s: %s".formatted(podAssignment.pod(), reason.apply(podAssignment)))
                .toList();
        return Optional.of(ReserveResponse.rejected(podNames(podAssignments), details.get(0), details));
    }
}
