package dev.berth.core.door.koordinator;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.resource.Resources;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The status of a reservation. Only the status survives a restart, so a place is promised only once the status contains
 * it.
 *
 * @param nodeName empty while the reservation is not placed
 * @param allocatable the held resources; they take effect once the reservation is placed, even if the template changes
 * @param allocated the requests of the pods that use it
 * @param currentOwners the pods that use it, sorted by UID
 * @param absent whether the object has no status at all: no program has written one yet
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

        /** An unknown or obsolete phase means that the reservation is not placed yet. */
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

    /** A status that is present. */
    public ReservationStatus(
            ReservationPhase phase,
            String nodeName,
            Resources allocatable,
            Resources allocated,
            List<CurrentOwner> currentOwners,
            List<ReservationCondition> conditions) {
        this(phase, nodeName, allocatable, allocated, currentOwners, conditions, false);
    }

    /** The reason of a condition that Berth writes if it does not serve the scheduler name. */
    private static final String NOT_SERVED = "SchedulerNotServed";

    /** The marker that only Berth writes on placed reservations. A later Berth recognizes its own statuses by it. */
    private static final String WRITTEN_BY_BERTH = "written by Berth";

    private static final String UNSCHEDULABLE = "Unschedulable";

    /** Koordinator's reasons of the condition Ready after the end. */
    private static final String EXPIRED = "Expired";

    private static final String SUCCEEDED = "Succeeded";

    /** The start of the message about a node that was deleted. */
    static final String NODE_DELETED_PREFIX = "node (";

    private static final Set<String> NOT_SCHEDULED_REASONS = Set.of(UNSCHEDULABLE, ReservationProblems.INVALID);

    /** The reasons with which Berth reports that a reservation is not ready. */
    private static final Set<String> BERTH_NOT_READY_REASONS = Set.of(
            ReservationProblems.OVERCOMMITTED,
            ReservationProblems.INVALID,
            ReservationProblems.DELETING,
            ReservationProblems.NODE_DELETED,
            NOT_SERVED);

    /** Without a node there is no place. */
    public ReservationStatus {
        phase = phase == ReservationPhase.AVAILABLE && nodeName.isEmpty() ? ReservationPhase.PENDING : phase;
        currentOwners = List.copyOf(currentOwners);
        conditions = List.copyOf(conditions);
    }

    /** Whether the reservation is placed. */
    public boolean isAvailable() {
        return phase == ReservationPhase.AVAILABLE;
    }

    /** When the reservation was placed, as far as its conditions show. */
    Optional<Instant> scheduledAt() {
        return findCondition(ReservationCondition.Type.SCHEDULED)
                .filter(ReservationCondition::isTrue)
                .map(ReservationCondition::lastTransitionTime)
                .filter(at -> at.isAfter(Instant.EPOCH));
    }

    /** The UIDs of the pods that the status lists as users. */
    Set<PodUid> currentOwnerUids() {
        Set<PodUid> users = new TreeSet<>();
        for (CurrentOwner owner : currentOwners) {
            if (!owner.uid().isBlank()) {
                users.add(new PodUid(owner.uid()));
            }
        }
        return users;
    }

    /** Whether the reservation failed because its node was deleted, as Berth writes it. */
    public boolean endedWithItsNode() {
        return phase == ReservationPhase.FAILED
                && findCondition(ReservationCondition.Type.READY)
                        .filter(condition -> condition.message().startsWith(NODE_DELETED_PREFIX))
                        .isPresent();
    }

    /**
     * When the reservation ended, as far as its conditions show. Koordinator's scheduler sets only the probe time when a
     * pod uses up a reservation. The transition time stays the one of the placement.
     */
    Optional<Instant> endedAt() {
        return findCondition(ReservationCondition.Type.READY)
                .filter(this::showsTheEnd)
                .map(ready -> ready.lastProbeTime().isAfter(ready.lastTransitionTime())
                        ? ready.lastProbeTime()
                        : ready.lastTransitionTime())
                .filter(at -> at.isAfter(Instant.EPOCH));
    }

    /** Not if only the phase was edited: then the condition is older than the end. */
    private boolean showsTheEnd(ReservationCondition ready) {
        return !ready.isTrue()
                && ((phase == ReservationPhase.FAILED && ready.reason().equals(EXPIRED))
                        || (phase == ReservationPhase.SUCCEEDED
                                && ready.reason().equals(SUCCEEDED)));
    }

    Optional<ReservationCondition> findCondition(ReservationCondition.Type type) {
        return conditions.stream().filter(condition -> condition.type() == type).findFirst();
    }

    /** The node that preemption nominated for the reservation; empty if there is none. */
    public String nominatedNode() {
        return findCondition(ReservationCondition.Type.NODE_NOMINATED)
                .filter(ReservationCondition::isTrue)
                .map(ReservationCondition::message)
                .orElse("");
    }

    /** @param node empty for none */
    ReservationStatus withNominatedNode(String node, Instant now) {
        if (node.equals(nominatedNode())) {
            return this;
        }
        return node.isEmpty()
                ? withoutCondition(ReservationCondition.Type.NODE_NOMINATED)
                : withCondition(ReservationCondition.nominatedNode(node, now));
    }

    /** The status after the reservation was placed. */
    ReservationStatus toAvailable(String node, Resources size, Instant now) {
        List<ReservationCondition> updated = List.of(
                ReservationCondition.of(now, ReservationCondition.Type.SCHEDULED, true, "Scheduled"),
                ReservationCondition.of(now, ReservationCondition.Type.READY, true, "Available"));
        return new ReservationStatus(ReservationPhase.AVAILABLE, node, size, Resources.NONE, List.of(), updated, false);
    }

    /**
     * The status after the reservation moved. No pod uses it on the new node. {@code Scheduled} gets the time of the move:
     * a place is never older than its node.
     */
    ReservationStatus toMoved(String node, Instant now) {
        ReservationCondition scheduled =
                ReservationCondition.of(now, ReservationCondition.Type.SCHEDULED, true, "Scheduled");
        ReservationStatus moved = new ReservationStatus(
                        phase, node, allocatable, allocated, currentOwners, conditions, absent)
                .withCurrentOwners(List.of(), Resources.NONE)
                .withoutCondition(ReservationCondition.Type.NODE_USABLE)
                .withoutCondition(ReservationCondition.Type.PLACEMENT_CURRENT)
                .withoutCondition(ReservationCondition.Type.PRE_ALLOCATED);
        moved = findCondition(ReservationCondition.Type.SCHEDULED).isPresent()
                ? moved.withConditionReplaced(scheduled)
                : moved.withCondition(scheduled);
        return moved.withBerthMarker(appliedSize()).withReadiness(Optional.empty(), now);
    }

    /** Whether both statuses name the same node since the same time, to the second: the API server stores no more. */
    boolean hasSamePlaceAs(ReservationStatus other) {
        return nodeName.equals(other.nodeName)
                && scheduledAt()
                        .map(at -> at.truncatedTo(ChronoUnit.SECONDS))
                        .equals(other.scheduledAt().map(at -> at.truncatedTo(ChronoUnit.SECONDS)));
    }

    /** The status with Berth's marker, and with the record of the size that Berth applied. */
    ReservationStatus withBerthMarker(Optional<AppliedSize> appliedSize) {
        String marker = WRITTEN_BY_BERTH + appliedSize.map(AppliedSize::format).orElse("");
        return findCondition(ReservationCondition.Type.SCHEDULED)
                .filter(condition -> condition.isTrue() && !condition.message().equals(marker))
                .map(condition -> withConditionReplaced(new ReservationCondition(
                        condition.type(),
                        true,
                        condition.reason(),
                        marker,
                        condition.lastProbeTime(),
                        condition.lastTransitionTime())))
                .orElse(this);
    }

    /**
     * Whether Berth placed or served the reservation. Another scheduler may have written the rest of the status since.
     */
    boolean hasBerthMarker() {
        return findCondition(ReservationCondition.Type.SCHEDULED)
                .filter(condition -> condition.isTrue() && condition.message().startsWith(WRITTEN_BY_BERTH))
                .isPresent();
    }

    /** What Berth applied last; empty if Berth did not write the status. */
    Optional<AppliedSize> appliedSize() {
        return findCondition(ReservationCondition.Type.SCHEDULED)
                .filter(condition -> condition.message().startsWith(WRITTEN_BY_BERTH))
                .flatMap(condition -> AppliedSize.parse(condition.message().substring(WRITTEN_BY_BERTH.length())));
    }

    /** The status with another size. */
    ReservationStatus withAllocatable(Resources size) {
        return new ReservationStatus(
                phase, nodeName, size, allocated.inDimensionsOf(size), currentOwners, conditions, absent);
    }

    /**
     * The status of a pending reservation. Another program may have set a placed one back to Pending and left the
     * conditions of its place, such as {@code Scheduled=True}: no pod can use it until it has a place again.
     */
    ReservationStatus withoutConditionsOfPlace() {
        boolean saysPlaced = findCondition(ReservationCondition.Type.SCHEDULED)
                .filter(ReservationCondition::isTrue)
                .isPresent();
        return saysPlaced
                ? withoutProblemsAndReadiness()
                        .withoutCondition(ReservationCondition.Type.PRE_ALLOCATED)
                        .withoutCondition(ReservationCondition.Type.SCHEDULED)
                : this;
    }

    /** The status of an unschedulable reservation. An equal condition is not replaced. */
    ReservationStatus withUnschedulable(String message, Instant now) {
        return withNotScheduled(UNSCHEDULABLE, message, now);
    }

    /** The status of a malformed reservation, by the same rules. */
    ReservationStatus withInvalid(String message, Instant now) {
        return withNotScheduled(ReservationProblems.INVALID, message, now);
    }

    private ReservationStatus withNotScheduled(String reason, String message, Instant now) {
        return withUpdatedCondition(ReservationCondition.Type.SCHEDULED, false, reason, message, now);
    }

    /** The status while no Berth serves the scheduler name. An equal condition is not replaced. */
    ReservationStatus withSchedulerNotServed(String message, Instant now) {
        return withUpdatedCondition(ReservationCondition.Type.SCHEDULED, false, NOT_SERVED, message, now);
    }

    /** The status of a placed reservation while no Berth serves the scheduler name any more: no owner can use it. */
    ReservationStatus withNotReadySchedulerNotServed(String message, Instant now) {
        return withProblem(
                ReservationCondition.Type.READY,
                Optional.of(new ReservationProblems.ReservationProblem(NOT_SERVED, message)),
                now);
    }

    boolean isNotReadySchedulerNotServed() {
        return isNotReadyBecauseOf(Set.of(NOT_SERVED));
    }

    /** The message why the reservation is unschedulable or malformed; empty if the status has none. */
    String unschedulableMessage() {
        return findCondition(ReservationCondition.Type.SCHEDULED)
                .filter(condition -> !condition.isTrue() && NOT_SCHEDULED_REASONS.contains(condition.reason()))
                .map(ReservationCondition::message)
                .orElse("");
    }

    /**
     * The status without Berth's problems, because Berth does not update them any more.
     *
     * @param berthMessages Berth's own messages about unschedulable reservations: another scheduler writes its messages
     * into the same condition
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

    /** Whether the reservation is pending, and the status contains nothing else. */
    boolean isPendingWithoutConditions() {
        return phase == ReservationPhase.PENDING && conditions.isEmpty();
    }

    /**
     * Whether the status equals {@code before}, or the result of {@link #withProblemsRetracted}, {@link
     * #withSchedulerNotServed} or {@link #withNotReadySchedulerNotServed}. Then no other program has written it since.
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

    /** The status without the conditions that Berth writes while it serves a placed reservation or stops serving it. */
    private ReservationStatus withoutProblemsAndReadiness() {
        return withoutProblemConditions().withoutCondition(ReservationCondition.Type.READY);
    }

    private boolean isReady() {
        return findCondition(ReservationCondition.Type.READY)
                .filter(ReservationCondition::isTrue)
                .isPresent();
    }

    /** Whether the status says that no Berth serves the scheduler name. */
    boolean hasSchedulerNotServed() {
        return conditions.stream().anyMatch(condition -> condition.reason().equals(NOT_SERVED));
    }

    /**
     * Whether the status is the result of {@link #withSchedulerNotServed} and nothing else: then no other program has
     * written it.
     */
    boolean hasOnlySchedulerNotServed() {
        return phase == ReservationPhase.PENDING
                && conditions.size() == 1
                && conditions.get(0).reason().equals(NOT_SERVED);
    }

    /** The scheduler name is served now: the opposite condition is removed. */
    ReservationStatus withoutSchedulerNotServed() {
        List<ReservationCondition> updated = new ArrayList<>(conditions);
        return updated.removeIf(condition -> condition.reason().equals(NOT_SERVED))
                ? new ReservationStatus(phase, nodeName, allocatable, allocated, currentOwners, updated, false)
                : this;
    }

    ReservationStatus toExpired(String message, Instant now) {
        return withoutProblemConditions()
                .withoutCondition(ReservationCondition.Type.PRE_ALLOCATED)
                .withPhase(ReservationPhase.FAILED)
                .withCondition(
                        new ReservationCondition(ReservationCondition.Type.READY, false, EXPIRED, message, now, now));
    }

    ReservationStatus toSucceeded(Instant now) {
        return withoutProblemConditions()
                .withoutCondition(ReservationCondition.Type.PRE_ALLOCATED)
                .withPhase(ReservationPhase.SUCCEEDED)
                .withCondition(ReservationCondition.of(now, ReservationCondition.Type.READY, false, SUCCEEDED));
    }

    ReservationStatus withCurrentOwners(List<CurrentOwner> owners, Resources used) {
        return new ReservationStatus(
                phase, nodeName, allocatable, used.inDimensionsOf(allocatable), owners, conditions, absent);
    }

    /** Whether the status says that the node is over-committed. */
    boolean reportsOvercommitment() {
        return isNotReadyBecauseOf(Set.of(ReservationProblems.OVERCOMMITTED));
    }

    private boolean isNotReadyBecauseOf(Set<String> reasons) {
        return findCondition(ReservationCondition.Type.READY)
                .filter(condition -> !condition.isTrue() && reasons.contains(condition.reason()))
                .isPresent();
    }

    /**
     * The status that is ready, or not ready because of the problem. A reason that another program wrote for not ready
     * stays.
     */
    ReservationStatus withReadiness(Optional<ReservationProblems.ReservationProblem> problem, Instant now) {
        if (problem.isPresent()) {
            return withProblem(ReservationCondition.Type.READY, problem, now);
        }
        return isNotReadyBecauseOf(BERTH_NOT_READY_REASONS)
                ? withCondition(ReservationCondition.of(now, ReservationCondition.Type.READY, true, "Available"))
                : this;
    }

    /** Adds or removes the condition of a problem. An equal condition is not replaced. */
    ReservationStatus withProblem(
            ReservationCondition.Type type,
            Optional<ReservationProblems.ReservationProblem> reservationProblem,
            Instant now) {
        return reservationProblem
                .map(problem -> withUpdatedCondition(type, false, problem.reason(), problem.message(), now))
                .orElseGet(() -> withoutCondition(type));
    }

    /**
     * The status with the condition. A condition with the same text is not replaced, so that it is written once. The
     * texts are compared as they are written: a long message is truncated.
     */
    ReservationStatus withUpdatedCondition(
            ReservationCondition.Type type, boolean isTrue, String reason, String message, Instant now) {
        Optional<ReservationCondition> before = findCondition(type);
        Instant changed = before.filter(condition -> condition.isTrue() == isTrue)
                .map(ReservationCondition::lastTransitionTime)
                .orElse(now);
        ReservationCondition next = new ReservationCondition(type, isTrue, reason, message, now, changed);
        return before.filter(next::hasSameTextAs).isPresent() ? this : withCondition(next);
    }

    ReservationStatus withoutCondition(ReservationCondition.Type type) {
        List<ReservationCondition> updated = new ArrayList<>(conditions);
        updated.removeIf(other -> other.type() == type);
        return new ReservationStatus(phase, nodeName, allocatable, allocated, currentOwners, updated, absent);
    }

    /** Problems of a placed reservation do not apply to one that ended. */
    private ReservationStatus withoutProblemConditions() {
        return withoutCondition(ReservationCondition.Type.NODE_USABLE)
                .withoutCondition(ReservationCondition.Type.KEEPS_RESOURCES)
                .withoutCondition(ReservationCondition.Type.OWNERS_USABLE)
                .withoutCondition(ReservationCondition.Type.FIELDS_KNOWN)
                .withoutCondition(ReservationCondition.Type.SCHEDULABLE)
                .withoutCondition(ReservationCondition.Type.RESIZED)
                .withoutCondition(ReservationCondition.Type.PLACEMENT_CURRENT)
                .withoutCondition(ReservationCondition.Type.NODE_NOMINATED);
    }

    private ReservationStatus withPhase(ReservationPhase next) {
        return new ReservationStatus(next, nodeName, allocatable, allocated, currentOwners, conditions, absent);
    }

    /** Replaces the condition of the same type at its position. */
    private ReservationStatus withConditionReplaced(ReservationCondition condition) {
        List<ReservationCondition> updated = new ArrayList<>(conditions);
        updated.replaceAll(other -> other.type() == condition.type() ? condition : other);
        return new ReservationStatus(phase, nodeName, allocatable, allocated, currentOwners, updated, absent);
    }

    private ReservationStatus withCondition(ReservationCondition condition) {
        List<ReservationCondition> updated = new ArrayList<>(conditions);
        updated.removeIf(other -> other.type() == condition.type());
        updated.add(condition);
        return new ReservationStatus(phase, nodeName, allocatable, allocated, currentOwners, updated, false);
    }
}
