package dev.berth.core.door.koordinator;

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
 * @param absent whether the object has no status at all: no program has looked at it yet
 */
public record ReservationStatus(
        ReservationPhase phase,
        String nodeName,
        Resources allocatable,
        Resources allocated,
        List<CurrentOwner> currentOwners,
        List<ReservationCondition> conditions,
        boolean absent) {
    public static final ReservationStatus ABSENT = new ReservationStatus(
            ReservationPhase.PENDING, "", Resources.NONE, Resources.NONE, List.of(), List.of(), true);

    /** How far a reservation is. */
    public enum ReservationPhase {
        PENDING("Pending"),
        AVAILABLE("Available"),
        SUCCEEDED("Succeeded"),
        FAILED("Failed");

        private final String value;

        ReservationPhase(String value) {
            this.value = value;
        }

        public String value() {
            return value;
        }

        /** A word that nobody writes any more, or never wrote, means that there is no place yet. */
        public static ReservationPhase parse(String value) {
            for (ReservationPhase phase : values()) {
                if (phase.value.equals(value)) {
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
    public ReservationStatus(
            ReservationPhase phase,
            String nodeName,
            Resources allocatable,
            Resources allocated,
            List<CurrentOwner> currentOwners,
            List<ReservationCondition> conditions) {
        this(phase, nodeName, allocatable, allocated, currentOwners, conditions, false);
    }

    /** The reason of the condition that only a Berth writes which does not serve the scheduler's name. */
    private static final String NOT_SERVED = "SchedulerNotServed";

    /** What only Berth says where there is a place: by this a later Berth knows whose status it is. */
    private static final String WRITTEN_BY_BERTH = "written by Berth";

    private static final String UNSCHEDULABLE = "Unschedulable";

    /** The reasons for which Berth says that a place is not ready. */
    private static final Set<String> BERTH_NOT_READY_REASONS = Set.of(
            ReservationProblems.OVERCOMMITTED, ReservationProblems.INVALID, ReservationProblems.DELETING, NOT_SERVED);

    /** A place on no node is none. */
    public ReservationStatus {
        phase = phase == ReservationPhase.AVAILABLE && nodeName.isEmpty() ? ReservationPhase.PENDING : phase;
        currentOwners = List.copyOf(currentOwners);
        conditions = List.copyOf(conditions);
    }

    /** Whether there is a place. */
    public boolean isAvailable() {
        return phase == ReservationPhase.AVAILABLE;
    }

    /** When it got its place, as far as its conditions say. */
    Optional<Instant> scheduledAt() {
        return findCondition(ReservationCondition.Type.SCHEDULED)
                .filter(ReservationCondition::isTrue)
                .map(ReservationCondition::lastTransitionTime)
                .filter(at -> at.isAfter(Instant.EPOCH));
    }

    /** The pods that it lists as users of the place. */
    Set<PodUid> currentOwnerUids() {
        Set<PodUid> users = new TreeSet<>();
        for (CurrentOwner owner : currentOwners) {
            if (!owner.uid().isBlank()) {
                users.add(new PodUid(owner.uid()));
            }
        }
        return users;
    }

    /** When it came to its end, as far as its conditions say. */
    Optional<Instant> endedAt() {
        return phase.terminal()
                ? findCondition(ReservationCondition.Type.READY).map(ReservationCondition::lastTransitionTime)
                : Optional.empty();
    }

    Optional<ReservationCondition> findCondition(ReservationCondition.Type type) {
        return conditions.stream().filter(said -> said.type() == type).findFirst();
    }

    /** There is a place. */
    ReservationStatus toAvailable(String node, Resources size, Instant now) {
        List<ReservationCondition> said = List.of(
                ReservationCondition.of(now, ReservationCondition.Type.SCHEDULED, true, "Scheduled"),
                ReservationCondition.of(now, ReservationCondition.Type.READY, true, "Available"));
        return new ReservationStatus(ReservationPhase.AVAILABLE, node, size, Resources.NONE, List.of(), said, false);
    }

    /** The same under Berth's hand. */
    ReservationStatus withBerthMarker() {
        return findCondition(ReservationCondition.Type.SCHEDULED)
                .filter(said -> said.isTrue() && !said.message().equals(WRITTEN_BY_BERTH))
                .map(said -> withConditionReplaced(new ReservationCondition(
                        said.type(),
                        true,
                        said.reason(),
                        WRITTEN_BY_BERTH,
                        said.lastProbeTime(),
                        said.lastTransitionTime())))
                .orElse(this);
    }

    /** Whether Berth placed it or served it later. Another scheduler may have written the rest of the status since. */
    boolean hasBerthMarker() {
        return findCondition(ReservationCondition.Type.SCHEDULED)
                .filter(said -> said.isTrue() && said.message().equals(WRITTEN_BY_BERTH))
                .isPresent();
    }

    /** There is no place, and why. That there once was one is not taken back, and the same is not said twice. */
    ReservationStatus withUnschedulable(String message, Instant now) {
        Optional<ReservationCondition> before = findCondition(ReservationCondition.Type.SCHEDULED);
        if (before.filter(said -> said.isTrue() || said.message().equals(message))
                .isPresent()) {
            return this;
        }
        Instant changed = before.map(ReservationCondition::lastTransitionTime).orElse(now);
        return withCondition(new ReservationCondition(
                ReservationCondition.Type.SCHEDULED, false, UNSCHEDULABLE, message, now, changed));
    }

    /** No Berth serves the scheduler's name. The same is not said twice. */
    ReservationStatus withSchedulerNotServed(String message, Instant now) {
        Optional<ReservationCondition> before = findCondition(ReservationCondition.Type.SCHEDULED);
        if (before.filter(said -> said.message().equals(message)).isPresent()) {
            return this;
        }
        Instant changed = before.map(ReservationCondition::lastTransitionTime).orElse(now);
        return withCondition(new ReservationCondition(
                ReservationCondition.Type.SCHEDULED, false, NOT_SERVED, message, now, changed));
    }

    /** No Berth serves the scheduler's name any more, so that no owner gets the place. */
    ReservationStatus withNotReadySchedulerNotServed(String message, Instant now) {
        return withProblem(
                ReservationCondition.Type.READY,
                Optional.of(new ReservationProblems.ReservationProblem(NOT_SERVED, message)),
                now);
    }

    boolean isNotReadySchedulerNotServed() {
        return isNotReadyBecauseOf(Set.of(NOT_SERVED));
    }

    /** Why there is no place; empty where it does not say so. */
    String unschedulableMessage() {
        return findCondition(ReservationCondition.Type.SCHEDULED)
                .filter(said -> !said.isTrue() && said.reason().equals(UNSCHEDULABLE))
                .map(ReservationCondition::message)
                .orElse("");
    }

    /**
     * Berth no longer keeps its reports true: they are taken back.
     *
     * @param berthMessages why Berth found no place: another scheduler gives its reasons in the same condition
     */
    ReservationStatus withProblemsRetracted(Set<String> berthMessages, Instant now) {
        if (phase.terminal() || isNotReadySchedulerNotServed()) {
            return this;
        }
        ReservationStatus rest = withoutProblemConditions().withReadiness(Optional.empty(), now);
        String unschedulableMessage = unschedulableMessage();
        return phase == ReservationPhase.PENDING
                        && !unschedulableMessage.isEmpty()
                        && berthMessages.contains(unschedulableMessage)
                ? rest.withoutCondition(ReservationCondition.Type.SCHEDULED)
                : rest;
    }

    /** Whether it says that there is no place, and nothing else. */
    boolean isPendingWithoutConditions() {
        return phase == ReservationPhase.PENDING && conditions.isEmpty();
    }

    /**
     * Whether it is {@code before}, or what {@link #withProblemsRetracted}, {@link #withSchedulerNotServed} and {@link #withNotReadySchedulerNotServed} made of that: no
     * other program has written since.
     */
    boolean isChangedOnlyByBerthSince(ReservationStatus before) {
        if (before.phase == ReservationPhase.PENDING) {
            return equals(before) || isPendingWithoutConditions() || hasOnlySchedulerNotServed();
        }
        return equals(before)
                || (withoutProblemsAndReadiness().equals(before.withoutProblemsAndReadiness())
                        && (isNotReadySchedulerNotServed()
                                || (equals(withoutProblemConditions())
                                        && isReady()
                                        && !before.isNotReadySchedulerNotServed())));
    }

    /** All but what Berth says of a place while it keeps it, or stops to. */
    private ReservationStatus withoutProblemsAndReadiness() {
        return withoutProblemConditions().withoutCondition(ReservationCondition.Type.READY);
    }

    private boolean isReady() {
        return findCondition(ReservationCondition.Type.READY)
                .filter(ReservationCondition::isTrue)
                .isPresent();
    }

    /** Whether it says that no Berth serves the scheduler's name. */
    boolean hasSchedulerNotServed() {
        return conditions.stream().anyMatch(said -> said.reason().equals(NOT_SERVED));
    }

    /** Whether it says {@link #withSchedulerNotServed} and nothing else: then no other program has written it. */
    boolean hasOnlySchedulerNotServed() {
        return phase == ReservationPhase.PENDING
                && conditions.size() == 1
                && conditions.get(0).reason().equals(NOT_SERVED);
    }

    /** The scheduler's name is served now: what said otherwise is taken back. */
    ReservationStatus withoutSchedulerNotServed() {
        List<ReservationCondition> said = new ArrayList<>(conditions);
        return said.removeIf(condition -> condition.reason().equals(NOT_SERVED))
                ? new ReservationStatus(phase, nodeName, allocatable, allocated, currentOwners, said, false)
                : this;
    }

    ReservationStatus toExpired(String message, Instant now) {
        return withoutProblemConditions()
                .withPhase(ReservationPhase.FAILED)
                .withCondition(
                        new ReservationCondition(ReservationCondition.Type.READY, false, "Expired", message, now, now));
    }

    ReservationStatus toSucceeded(Instant now) {
        return withoutProblemConditions()
                .withPhase(ReservationPhase.SUCCEEDED)
                .withCondition(ReservationCondition.of(now, ReservationCondition.Type.READY, false, "Succeeded"));
    }

    ReservationStatus withCurrentOwners(List<CurrentOwner> owners, Resources used) {
        return new ReservationStatus(
                phase, nodeName, allocatable, used.inDimensionsOf(allocatable), owners, conditions, absent);
    }

    /** Whether it says that its node is over-committed. */
    boolean reportsOvercommitment() {
        return isNotReadyBecauseOf(Set.of(ReservationProblems.OVERCOMMITTED));
    }

    private boolean isNotReadyBecauseOf(Set<String> reasons) {
        return findCondition(ReservationCondition.Type.READY)
                .filter(said -> !said.isTrue() && reasons.contains(said.reason()))
                .isPresent();
    }

    /** Whether the place is all that it says. Another reason why it is not ready is not Berth's to take back. */
    ReservationStatus withReadiness(Optional<ReservationProblems.ReservationProblem> problem, Instant now) {
        if (problem.isPresent()) {
            return withProblem(ReservationCondition.Type.READY, problem, now);
        }
        return isNotReadyBecauseOf(BERTH_NOT_READY_REASONS)
                ? withCondition(ReservationCondition.of(now, ReservationCondition.Type.READY, true, "Available"))
                : this;
    }

    /** Says that something is not so, and why, or takes that back. The same is not said twice. */
    ReservationStatus withProblem(
            ReservationCondition.Type type,
            Optional<ReservationProblems.ReservationProblem> reservationProblem,
            Instant now) {
        Optional<ReservationCondition> said = findCondition(type);
        if (reservationProblem.isEmpty()) {
            return said.isEmpty() ? this : withoutCondition(type);
        }
        String reason = reservationProblem.get().reason();
        String message = reservationProblem.get().message();
        boolean same = said.filter(known -> !known.isTrue()
                        && known.reason().equals(reason)
                        && known.message().equals(message))
                .isPresent();
        Instant changed = said.filter(known -> !known.isTrue())
                .map(ReservationCondition::lastTransitionTime)
                .orElse(now);
        return same ? this : withCondition(new ReservationCondition(type, false, reason, message, now, changed));
    }

    private ReservationStatus withoutCondition(ReservationCondition.Type type) {
        List<ReservationCondition> said = new ArrayList<>(conditions);
        said.removeIf(other -> other.type() == type);
        return new ReservationStatus(phase, nodeName, allocatable, allocated, currentOwners, said, absent);
    }

    /** What Berth reports of a place that there is says nothing of one that is over. */
    private ReservationStatus withoutProblemConditions() {
        return withoutCondition(ReservationCondition.Type.NODE_USABLE)
                .withoutCondition(ReservationCondition.Type.KEEPS_RESOURCES)
                .withoutCondition(ReservationCondition.Type.OWNERS_USABLE)
                .withoutCondition(ReservationCondition.Type.FIELDS_KNOWN)
                .withoutCondition(ReservationCondition.Type.RESIZED)
                .withoutCondition(ReservationCondition.Type.MOVED);
    }

    private ReservationStatus withPhase(ReservationPhase next) {
        return new ReservationStatus(next, nodeName, allocatable, allocated, currentOwners, conditions, absent);
    }

    /** With this instead of the condition of the same type, in its place. */
    private ReservationStatus withConditionReplaced(ReservationCondition condition) {
        List<ReservationCondition> said = new ArrayList<>(conditions);
        said.replaceAll(other -> other.type() == condition.type() ? condition : other);
        return new ReservationStatus(phase, nodeName, allocatable, allocated, currentOwners, said, absent);
    }

    private ReservationStatus withCondition(ReservationCondition condition) {
        List<ReservationCondition> said = new ArrayList<>(conditions);
        said.removeIf(other -> other.type() == condition.type());
        said.add(condition);
        return new ReservationStatus(phase, nodeName, allocatable, allocated, currentOwners, said, false);
    }
}
