package dev.berth.core.decision;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Remembers what each pod's author was told last, so that a pod refused again for the same reason costs no write: the
 * condition is written when its text changes, the event then and once in a while.
 */
final class Telling {
    private static final Duration REPEAT_EVENT = Duration.ofMinutes(5);

    private record Told(Effect.MarkUnscheduled.Reason reason, String message, Instant eventAt) {}

    private final Map<PodUid, Told> told = new HashMap<>();

    List<Effect> tell(Pod pod, Effect.MarkUnscheduled.Reason reason, String words, Instant now) {
        String message = MessageLimit.CONDITION.cut(words);
        Effect.PodRef ref = Effect.PodRef.of(pod);
        Optional<Told> last = Optional.ofNullable(told.get(pod.uid()));
        boolean news = last.filter(it -> it.reason() == reason && it.message().equals(message))
                .isEmpty();
        boolean eventDue = news
                || last.filter(it -> it.eventAt().plus(REPEAT_EVENT).isAfter(now))
                        .isEmpty();
        if (!eventDue) {
            return List.of();
        }
        told.put(pod.uid(), new Told(reason, message, now));
        List<Effect> effects = new ArrayList<>();
        effects.add(new Effect.Announce(ref, Effect.Announce.Kind.FAILED_SCHEDULING, message));
        if (news) {
            effects.add(new Effect.MarkUnscheduled(ref, reason, message));
        }
        return effects;
    }

    /** The condition was not written: the next refusal is told as if it were the first. What was told since stays told. */
    void untold(PodUid uid, String message) {
        Optional.ofNullable(told.get(uid))
                .filter(last -> last.message().equals(message))
                .ifPresent(last -> told.remove(uid));
    }

    /** The event was not written: the next refusal is told by an event. */
    void eventUntold(PodUid uid, String note) {
        told.computeIfPresent(
                uid,
                (any, last) -> MessageLimit.EVENT.cut(last.message()).equals(note)
                        ? new Told(last.reason(), last.message(), Instant.MIN)
                        : last);
    }

    void forget(PodUid uid) {
        told.remove(uid);
    }
}
