package dev.berth.core.door.reservation;

import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Effect.Announce;
import dev.berth.core.decision.Subject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What the people who look at a reservation's events are told: each thing when it becomes true, not again and again. */
final class Words {
    private static final String API_VERSION = "scheduling.koordinator.sh/v1alpha1";
    private static final Announce.Kind INVALID = Announce.Kind.warning(Reports.INVALID, "Scheduling");
    private static final Announce.Kind NOT_SERVED = Announce.Kind.warning("SchedulerNotServed", "Scheduling");

    /** Its condition has the reason of the original, {@code Expired}, in both cases. */
    private static final Announce.Kind EXPIRED = Announce.Kind.normal("Expired", "Reserving");

    private static final Announce.Kind NODE_GONE = Announce.Kind.warning("NodeGone", "Reserving");

    private Words() {}

    static List<Effect> of(Entry entry) {
        List<Effect> words = new ArrayList<>();
        Reservation reservation = entry.seen;
        if (entry.fresh) {
            entry.fresh = false;
            words.add(about(
                    reservation,
                    Announce.Kind.SCHEDULED,
                    "Successfully assigned %s to %s"
                            .formatted(reservation.name(), reservation.status().nodeName())));
        }
        String trouble = reservation.problem().isEmpty() ? entry.refusal : reservation.problem();
        if (reservation.pending() && !trouble.isEmpty() && !trouble.equals(entry.told)) {
            Announce.Kind kind = reservation.problem().isEmpty() ? Announce.Kind.FAILED_SCHEDULING : INVALID;
            words.add(about(reservation, kind, trouble));
        }
        entry.told = trouble;
        return words;
    }

    /**
     * Events about what is newly reported in a status that is to be written. What the status said before this process came
     * is no news. A node that is over-committed gets an event of its own, whatever holds it has.
     */
    static List<Effect> reports(Entry entry, Status next) {
        List<Effect> words = new ArrayList<>();
        Set<String> reasons = new HashSet<>();
        for (Condition said : next.conditions()) {
            boolean report = !said.holds() && !next.phase().terminal() && said.type() != Condition.Type.SCHEDULED;
            if (!report) {
                continue;
            }
            reasons.add(said.reason());
            boolean known = entry.reported.contains(said.reason())
                    || entry.seen.status().conditions().stream()
                            .anyMatch(other -> !other.holds() && other.reason().equals(said.reason()));
            if (!known) {
                Announce.Kind kind = Announce.Kind.warning(said.reason(), "Reserving");
                words.add(about(entry.seen, kind, said.message()));
            }
        }
        entry.reported = reasons;
        return words;
    }

    /** The event about an end that is to be written in the status: once, though the write may be tried again. */
    static Optional<Announce> ended(Entry entry, String reporter, Status next, Instant now) {
        boolean ends = next.phase() == Status.Phase.FAILED
                && !entry.seen.status().phase().terminal();
        if (!ends || entry.endTold) {
            return Optional.empty();
        }
        entry.endTold = true;
        Announce.Kind kind = entry.endedBy(now) ? EXPIRED : NODE_GONE;
        return next.condition(Condition.Type.READY)
                .map(said -> new Announce(subject(entry.seen, reporter), kind, said.message()));
    }

    /**
     * Empty when it was told before: a write that is tried again is no news.
     *
     * @param reporter a name that Berth serves: the one that the reservation has is another scheduler's
     */
    static Optional<Announce> notServed(Entry entry, String reporter, String text) {
        boolean news = !text.equals(entry.told);
        entry.told = text;
        return news ? Optional.of(new Announce(subject(entry.seen, reporter), NOT_SERVED, text)) : Optional.empty();
    }

    static Announce about(Reservation reservation, Announce.Kind kind, String text) {
        return new Announce(subject(reservation, reservation.schedulerName()), kind, text);
    }

    static Subject subject(Reservation reservation, String reporter) {
        return new Subject(API_VERSION, "Reservation", "", reservation.name(), reservation.uid(), reporter);
    }
}
