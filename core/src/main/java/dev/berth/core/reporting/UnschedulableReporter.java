package dev.berth.core.reporting;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.MessageLimit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Remembers the last message of each unschedulable pod, so that an equal message costs no write. The condition is
 * written when its text changes. The event is written then, and again after an interval.
 */
public final class UnschedulableReporter {
    private static final Duration EVENT_REPEAT_INTERVAL = Duration.ofMinutes(5);

    /** Koordinator's event for a pod that must use a Reservation. Another reason keeps it apart from FailedScheduling. */
    private static final Effect.RecordEvent.EventTemplate FAILED_RESERVATION =
            Effect.RecordEvent.EventTemplate.warning("FailedScheduling-Reservation", "Scheduling");

    private record LastReport(Effect.MarkUnscheduled.Reason reason, String message, Instant eventAt) {}

    private final Map<PodUid, LastReport> lastReports = new HashMap<>();

    /** No node is feasible for the pod. A pod that must use a Reservation gets a further event about its Reservations. */
    public List<Effect> report(Pod pod, UnschedulableMessages.UnschedulableMessage message, Instant now) {
        List<Effect> effects = report(pod, Effect.MarkUnscheduled.Reason.UNSCHEDULABLE, message.message(), now);
        if (effects.isEmpty() || message.reservationNote().isEmpty()) {
            return effects;
        }
        List<Effect> all = new ArrayList<>(effects);
        all.add(new Effect.RecordEvent(
                Effect.PodRef.of(pod),
                FAILED_RESERVATION,
                message.reservationNote().get()));
        return all;
    }

    public List<Effect> report(Pod pod, Effect.MarkUnscheduled.Reason reason, String text, Instant now) {
        String message = MessageLimit.CONDITION.truncate(text);
        Effect.PodRef ref = Effect.PodRef.of(pod);
        Optional<LastReport> last = Optional.ofNullable(lastReports.get(pod.uid()));
        boolean changed = last.filter(
                        it -> it.reason() == reason && it.message().equals(message))
                .isEmpty();
        boolean eventDue = changed
                || last.filter(it -> it.eventAt().plus(EVENT_REPEAT_INTERVAL).isAfter(now))
                        .isEmpty();
        if (!eventDue) {
            return List.of();
        }
        lastReports.put(pod.uid(), new LastReport(reason, message, now));
        List<Effect> effects = new ArrayList<>();
        effects.add(new Effect.RecordEvent(ref, Effect.RecordEvent.EventTemplate.FAILED_SCHEDULING, message));
        if (changed) {
            effects.add(new Effect.MarkUnscheduled(ref, reason, message));
        }
        return effects;
    }

    /**
     * The condition was not written: the next refusal is reported as if it were the first, unless a newer message was
     * reported since.
     */
    public void onConditionDropped(PodUid uid, String message) {
        Optional.ofNullable(lastReports.get(uid))
                .filter(last -> last.message().equals(message))
                .ifPresent(last -> lastReports.remove(uid));
    }

    /** The event was not written: the next refusal is reported by an event. */
    public void onEventDropped(PodUid uid, String note) {
        lastReports.computeIfPresent(
                uid,
                (any, last) -> MessageLimit.EVENT.truncate(last.message()).equals(note)
                        ? new LastReport(last.reason(), last.message(), Instant.MIN)
                        : last);
    }

    public void remove(PodUid uid) {
        lastReports.remove(uid);
    }
}
