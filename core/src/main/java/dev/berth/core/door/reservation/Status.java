package dev.berth.core.door.reservation;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.resource.Resources;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a reservation's status says. It is all that outlives the process: a place is promised to nobody before it stands
 * here.
 *
 * @param nodeName empty while there is no place
 * @param allocatable what is kept; counts alone once there is a place, whatever the template says by then
 * @param allocated what the pods that use it request of it
 * @param currentOwners in the order of their UIDs
 * @param blank whether the object has no status at all: no program has looked at it yet
 */
public record Status(
        Phase phase,
        String nodeName,
        Resources allocatable,
        Resources allocated,
        List<CurrentOwner> currentOwners,
        List<Condition> conditions,
        boolean blank) {
    public static final Status NEW =
            new Status(Phase.PENDING, "", Resources.NONE, Resources.NONE, List.of(), List.of(), true);

    /** How far a reservation is. */
    public enum Phase {
        PENDING("Pending"),
        AVAILABLE("Available"),
        SUCCEEDED("Succeeded"),
        FAILED("Failed");

        private final String word;

        Phase(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }

        /** A word that nobody writes any more, or never wrote, means that there is no place yet. */
        public static Phase of(String word) {
            for (Phase phase : values()) {
                if (phase.word.equals(word)) {
                    return phase;
                }
            }
            return PENDING;
        }

        public boolean terminal() {
            return this == SUCCEEDED || this == FAILED;
        }
    }

    /** A status that is not blank. */
    public Status(
            Phase phase,
            String nodeName,
            Resources allocatable,
            Resources allocated,
            List<CurrentOwner> currentOwners,
            List<Condition> conditions) {
        this(phase, nodeName, allocatable, allocated, currentOwners, conditions, false);
    }

    /** The reason of the condition that only a Berth writes which does not serve the scheduler's name. */
    private static final String NOT_SERVED = "SchedulerNotServed";

    /** What only Berth says where there is a place: by this a later Berth knows whose status it is. */
    private static final String BY_BERTH = "written by Berth";

    private static final String UNSCHEDULABLE = "Unschedulable";

    /** The reasons for which Berth says that a place is not ready. */
    private static final Set<String> NOT_READY =
            Set.of(Reports.OVERCOMMITTED, Reports.INVALID, Reports.DELETING, NOT_SERVED);

    /** A place on no node is none. */
    public Status {
        phase = phase == Phase.AVAILABLE && nodeName.isEmpty() ? Phase.PENDING : phase;
        currentOwners = List.copyOf(currentOwners);
        conditions = List.copyOf(conditions);
    }

    /** Whether there is a place. */
    public boolean available() {
        return phase == Phase.AVAILABLE;
    }

    /** When it got its place, as far as its conditions say. */
    Optional<Instant> scheduled() {
        return condition(Condition.Type.SCHEDULED)
                .filter(Condition::holds)
                .map(Condition::changed)
                .filter(at -> at.isAfter(Instant.EPOCH));
    }

    /** The pods that it lists as users of the place. */
    Set<PodUid> users() {
        Set<PodUid> users = new TreeSet<>();
        for (CurrentOwner owner : currentOwners) {
            if (!owner.uid().isBlank()) {
                users.add(new PodUid(owner.uid()));
            }
        }
        return users;
    }

    /** When it came to its end, as far as its conditions say. */
    Optional<Instant> ended() {
        return phase.terminal() ? condition(Condition.Type.READY).map(Condition::changed) : Optional.empty();
    }

    Optional<Condition> condition(Condition.Type type) {
        return conditions.stream().filter(said -> said.type() == type).findFirst();
    }

    /** There is a place. */
    Status available(String node, Resources size, Instant now) {
        List<Condition> said = List.of(
                Condition.since(now, Condition.Type.SCHEDULED, true, "Scheduled"),
                Condition.since(now, Condition.Type.READY, true, "Available"));
        return new Status(Phase.AVAILABLE, node, size, Resources.NONE, List.of(), said, false);
    }

    /** The same under Berth's hand. */
    Status byBerth() {
        return condition(Condition.Type.SCHEDULED)
                .filter(said -> said.holds() && !said.message().equals(BY_BERTH))
                .map(said -> inPlace(
                        new Condition(said.type(), true, said.reason(), BY_BERTH, said.probed(), said.changed())))
                .orElse(this);
    }

    /** Whether Berth placed it or served it later. Another scheduler may have written the rest of the status since. */
    boolean writtenByBerth() {
        return condition(Condition.Type.SCHEDULED)
                .filter(said -> said.holds() && said.message().equals(BY_BERTH))
                .isPresent();
    }

    /** There is no place, and why. That there once was one is not taken back, and the same is not said twice. */
    Status unschedulable(String message, Instant now) {
        Optional<Condition> before = condition(Condition.Type.SCHEDULED);
        if (before.filter(said -> said.holds() || said.message().equals(message))
                .isPresent()) {
            return this;
        }
        Instant changed = before.map(Condition::changed).orElse(now);
        return with(new Condition(Condition.Type.SCHEDULED, false, UNSCHEDULABLE, message, now, changed));
    }

    /** No Berth serves the scheduler's name. The same is not said twice. */
    Status notServed(String message, Instant now) {
        Optional<Condition> before = condition(Condition.Type.SCHEDULED);
        if (before.filter(said -> said.message().equals(message)).isPresent()) {
            return this;
        }
        Instant changed = before.map(Condition::changed).orElse(now);
        return with(new Condition(Condition.Type.SCHEDULED, false, NOT_SERVED, message, now, changed));
    }

    /** No Berth serves the scheduler's name any more, so that no owner gets the place. */
    Status placeNotServed(String message, Instant now) {
        return report(Condition.Type.READY, Optional.of(new Reports.Report(NOT_SERVED, message)), now);
    }

    boolean saysPlaceNotServed() {
        return notReadyFor(Set.of(NOT_SERVED));
    }

    /** Why there is no place; empty where it does not say so. */
    String whyUnschedulable() {
        return condition(Condition.Type.SCHEDULED)
                .filter(said -> !said.holds() && said.reason().equals(UNSCHEDULABLE))
                .map(Condition::message)
                .orElse("");
    }

    /**
     * Berth no longer keeps its reports true: they are taken back.
     *
     * @param refusals why Berth found no place: another scheduler gives its reasons in the same condition
     */
    Status handedOver(Set<String> refusals, Instant now) {
        if (phase.terminal() || saysPlaceNotServed()) {
            return this;
        }
        Status rest = withoutReports().ready(Optional.empty(), now);
        String why = whyUnschedulable();
        return phase == Phase.PENDING && !why.isEmpty() && refusals.contains(why)
                ? rest.without(Condition.Type.SCHEDULED)
                : rest;
    }

    /** Whether it says that there is no place, and nothing else. */
    boolean saysNothing() {
        return phase == Phase.PENDING && conditions.isEmpty();
    }

    /**
     * Whether it is {@code before}, or what {@link #handedOver}, {@link #notServed} and {@link #placeNotServed} made of that: no
     * other program has written since.
     */
    boolean continues(Status before) {
        if (before.phase == Phase.PENDING) {
            return equals(before) || saysNothing() || saysOnlyNotServed();
        }
        return equals(before)
                || (rest().equals(before.rest())
                        && (saysPlaceNotServed()
                                || (equals(withoutReports()) && saysReady() && !before.saysPlaceNotServed())));
    }

    /** All but what Berth says of a place while it keeps it, or stops to. */
    private Status rest() {
        return withoutReports().without(Condition.Type.READY);
    }

    private boolean saysReady() {
        return condition(Condition.Type.READY).filter(Condition::holds).isPresent();
    }

    /** Whether it says that no Berth serves the scheduler's name. */
    boolean saysNotServed() {
        return conditions.stream().anyMatch(said -> said.reason().equals(NOT_SERVED));
    }

    /** Whether it says {@link #notServed} and nothing else: then no other program has written it. */
    boolean saysOnlyNotServed() {
        return phase == Phase.PENDING
                && conditions.size() == 1
                && conditions.get(0).reason().equals(NOT_SERVED);
    }

    /** The scheduler's name is served now: what said otherwise is taken back. */
    Status served() {
        List<Condition> said = new ArrayList<>(conditions);
        return said.removeIf(condition -> condition.reason().equals(NOT_SERVED))
                ? new Status(phase, nodeName, allocatable, allocated, currentOwners, said, false)
                : this;
    }

    Status expired(String message, Instant now) {
        return withoutReports()
                .in(Phase.FAILED)
                .with(new Condition(Condition.Type.READY, false, "Expired", message, now, now));
    }

    Status succeeded(Instant now) {
        return withoutReports()
                .in(Phase.SUCCEEDED)
                .with(Condition.since(now, Condition.Type.READY, false, "Succeeded"));
    }

    Status usedBy(List<CurrentOwner> owners, Resources used) {
        return new Status(phase, nodeName, allocatable, used.onlyOf(allocatable), owners, conditions, blank);
    }

    /** Whether it says that its node is over-committed. */
    boolean overcommitted() {
        return notReadyFor(Set.of(Reports.OVERCOMMITTED));
    }

    private boolean notReadyFor(Set<String> reasons) {
        return condition(Condition.Type.READY)
                .filter(said -> !said.holds() && reasons.contains(said.reason()))
                .isPresent();
    }

    /** Whether the place is all that it says. Another reason why it is not ready is not Berth's to take back. */
    Status ready(Optional<Reports.Report> trouble, Instant now) {
        if (trouble.isPresent()) {
            return report(Condition.Type.READY, trouble, now);
        }
        return notReadyFor(NOT_READY) ? with(Condition.since(now, Condition.Type.READY, true, "Available")) : this;
    }

    /** Says that something is not so, and why, or takes that back. The same is not said twice. */
    Status report(Condition.Type type, Optional<Reports.Report> report, Instant now) {
        Optional<Condition> said = condition(type);
        if (report.isEmpty()) {
            return said.isEmpty() ? this : without(type);
        }
        String reason = report.get().reason();
        String message = report.get().message();
        boolean same = said.filter(known -> !known.holds()
                        && known.reason().equals(reason)
                        && known.message().equals(message))
                .isPresent();
        Instant changed =
                said.filter(known -> !known.holds()).map(Condition::changed).orElse(now);
        return same ? this : with(new Condition(type, false, reason, message, now, changed));
    }

    private Status without(Condition.Type type) {
        List<Condition> said = new ArrayList<>(conditions);
        said.removeIf(other -> other.type() == type);
        return new Status(phase, nodeName, allocatable, allocated, currentOwners, said, blank);
    }

    /** What Berth reports of a place that there is says nothing of one that is over. */
    private Status withoutReports() {
        return without(Condition.Type.NODE_USABLE)
                .without(Condition.Type.KEEPS_RESOURCES)
                .without(Condition.Type.OWNERS_USABLE)
                .without(Condition.Type.FIELDS_KNOWN)
                .without(Condition.Type.RESIZED)
                .without(Condition.Type.MOVED);
    }

    private Status in(Phase next) {
        return new Status(next, nodeName, allocatable, allocated, currentOwners, conditions, blank);
    }

    /** With this instead of the condition of the same type, in its place. */
    private Status inPlace(Condition condition) {
        List<Condition> said = new ArrayList<>(conditions);
        said.replaceAll(other -> other.type() == condition.type() ? condition : other);
        return new Status(phase, nodeName, allocatable, allocated, currentOwners, said, blank);
    }

    private Status with(Condition condition) {
        List<Condition> said = new ArrayList<>(conditions);
        said.removeIf(other -> other.type() == condition.type());
        said.add(condition);
        return new Status(phase, nodeName, allocatable, allocated, currentOwners, said, false);
    }
}
