package dev.berth.core.door.reserve;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A group of pods and the nodes that their scheduler wants to bind them to.
 *
 * @param scheduler who asks
 */
public record ReserveRequest(String scheduler, List<Seat> seats) {
    /** As long as Kubernetes lets a scheduler's name be: it is part of the name of each hold. */
    private static final int LONGEST_NAME = 253;

    private static final int SHOWN = 20;

    /** One pod and its node. */
    public record Seat(Pod pod, String node) {}

    public ReserveRequest {
        seats = List.copyOf(seats);
    }

    static List<String> names(List<Seat> seats) {
        return seats.stream().map(seat -> seat.pod().name()).toList();
    }

    /** What is wrong with the name of who asks. */
    Optional<ReserveAnswer> namelessOrTooLong() {
        if (scheduler.isBlank()) {
            return Optional.of(ReserveAnswer.notUnderstood(ReserveAnswer.NO_SCHEDULER));
        }
        return scheduler.length() <= LONGEST_NAME
                ? Optional.empty()
                : Optional.of(ReserveAnswer.notUnderstood("SchedulerName (%s...) has %d characters, and %d are the most"
                        .formatted(scheduler.substring(0, SHOWN), scheduler.length(), LONGEST_NAME)));
    }

    /** What is wrong with the request itself, whatever the cluster is like. */
    Optional<ReserveAnswer> objection(int mostPods) {
        Optional<ReserveAnswer> nameless = namelessOrTooLong();
        if (nameless.isPresent()) {
            return nameless;
        }
        if (seats.size() > mostPods) {
            return Optional.of(ReserveAnswer.notUnderstood(
                    "The group has %d pods, and %d at once are the most".formatted(seats.size(), mostPods)));
        }
        return twice().or(this::ended);
    }

    private Optional<ReserveAnswer> twice() {
        Set<PodUid> known = new HashSet<>();
        List<Seat> again =
                seats.stream().filter(seat -> !known.add(seat.pod().uid())).toList();
        return refusal(
                again,
                seat -> "metadata.uid (%s) is in the group twice"
                        .formatted(seat.pod().uid()));
    }

    private Optional<ReserveAnswer> ended() {
        List<Seat> over =
                seats.stream().filter(seat -> seat.pod().phase().terminal()).toList();
        return refusal(
                over,
                seat -> "status.phase (%s) is that of a pod at its end, which needs no room"
                        .formatted(seat.pod().phase()));
    }

    private static Optional<ReserveAnswer> refusal(List<Seat> seats, Function<Seat, String> reason) {
        if (seats.isEmpty()) {
            return Optional.empty();
        }
        List<String> details = seats.stream()
                .map(seat -> "Pod %s: %s".formatted(seat.pod(), reason.apply(seat)))
                .toList();
        return Optional.of(ReserveAnswer.refused(names(seats), details.get(0), details));
    }
}
