package dev.berth.core.door.godel;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.godel.ReturnHoldId.PodKey;
import dev.berth.core.effect.EventTarget;
import dev.berth.core.hold.Draw;
import dev.berth.core.hold.HoldId;
import dev.berth.core.resource.PodSlot;
import dev.berth.core.resource.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Gödel's Reservation as the API server shows it, created by this door or by a user. Fields that are not set are empty.
 *
 * @param originalPodUid the UID of the original pod
 * @param nodeUid the UID of the node, if the creator of the Reservation knew it
 * @param size the held resources, with one pod slot
 * @param terminating whether the Reservation has a deletion timestamp
 * @param problem what is malformed about the Reservation
 * @param statefulSetName the name of the original pod's StatefulSet; empty if the pod had none
 * @param statefulSetUid the UID of that StatefulSet; empty if the creator of the Reservation did not know it
 * @param draw the hold that the return hold draws on, with a stand-in for the successor
 * @param claimedHold the hold that the original pod had claimed itself
 */
public record GodelReservation(
        String namespace,
        String name,
        String uid,
        Instant createdAt,
        boolean terminating,
        String key,
        String originalPodUid,
        String nodeUid,
        String nodeName,
        Optional<Long> ttlSeconds,
        Resources size,
        List<HostPort> hostPorts,
        String phase,
        String problem,
        String statefulSetName,
        String statefulSetUid,
        Optional<Draw> draw,
        Optional<ClaimedHold> claimedHold) {
    public static final String API_GROUP = "scheduling.godel.kubewharf.io";
    public static final String API_VERSION = API_GROUP + "/v1alpha1";
    public static final String KIND = "Reservation";

    /**
     * A hold that the original pod claimed. The pod's own record is deleted with the pod, so its Reservation has a
     * copy.
     *
     * @param podName the name of the original pod
     */
    public record ClaimedHold(HoldId hold, String podName) {}

    /**
     * A malformed annotation is dropped and becomes the problem of this Reservation. It must not affect other objects.
     */
    public GodelReservation {
        hostPorts = List.copyOf(hostPorts);
        GodelReservationValidator check = new GodelReservationValidator(
                new GodelReservationValidator.ReservationRef(namespace, name, uid), problem);
        originalPodUid = check.validatePodUid(originalPodUid);
        draw = check.validateDraw(draw, originalPodUid);
        claimedHold = check.validateClaimedHold(claimedHold);
        problem = check.problem();
    }

    public static Builder builder(String namespace, String name, String uid, Instant created) {
        return new Builder(namespace, name, uid, created);
    }

    /** Whether both request the same capacity of the same node. The successors may differ. */
    boolean requestsSameCapacityAs(@Nullable GodelReservation other) {
        return other != null
                && nodeName.equals(other.nodeName)
                && size.equals(other.size)
                && hostPorts.equals(other.hostPorts);
    }

    public Builder toBuilder() {
        return new Builder(namespace, name, uid, createdAt)
                .terminating(terminating)
                .key(key)
                .originalPodUid(originalPodUid)
                .nodeUid(nodeUid)
                .nodeName(nodeName)
                .ttlSeconds(ttlSeconds)
                .size(size)
                .hostPorts(hostPorts)
                .phase(phase)
                .problem(problem)
                .statefulSetName(statefulSetName)
                .statefulSetUid(statefulSetUid)
                .draw(draw)
                .claimedHold(claimedHold);
    }

    static String namespacedName(String namespace, String name) {
        return namespace + "/" + name;
    }

    /** The Reservation as one of no original pod. The claim of that pod is dropped with it. */
    GodelReservation withoutOriginalPod() {
        return toBuilder().originalPodUid("").build();
    }

    /** The hold of a Reservation that has no original pod. */
    HoldId standaloneHoldId() {
        return new ReturnHoldId(namespace, name, new PodUid(uid)).holdId();
    }

    /** The same before and after the object exists: its name and its original pod are known before. */
    HoldId holdId() {
        return new ReturnHoldId(namespace, name, originalPod().orElseGet(() -> new PodUid(uid))).holdId();
    }

    Optional<PodUid> originalPod() {
        return originalPodUid.isEmpty() ? Optional.empty() : Optional.of(new PodUid(originalPodUid));
    }

    Optional<PodKey> originalPodKey() {
        return originalPod().map(uid -> new PodKey(namespace, uid));
    }

    /** The claim of the original pod; empty if there is no original pod. */
    Optional<ClaimedHold> effectiveClaimedHold() {
        return originalPodUid.isEmpty() ? Optional.empty() : claimedHold;
    }

    /** The original pod of the hold that this Reservation's original pod had claimed. */
    Optional<PodKey> predecessorKey() {
        return effectiveClaimedHold()
                .flatMap(it -> ReturnHoldId.parse(it.hold()))
                .map(ReturnHoldId::originalPodKey);
    }

    String namespacedName() {
        return namespacedName(namespace, name);
    }

    boolean isMatched() {
        return phase.equals("Matched");
    }

    /** Whether Gödel would hold capacity for it: a node is set, and no phase or deletion ended it. */
    boolean isActive() {
        return !nodeName.isEmpty() && !isMatched() && !phase.equals("TimeOut") && !terminating;
    }

    /** Why the Reservation holds nothing; empty if it is valid. */
    String invalidReason() {
        if (!problem.isEmpty()) {
            return "The Reservation holds nothing: " + problem;
        }
        return key.isEmpty()
                ? "annotation godel.bytedance.com/reservation-index is missing: no pod can match the Reservation"
                : "";
    }

    Instant deadline(Duration defaultTtl) {
        Duration effectiveTtl = ttlSeconds
                .map(seconds -> Duration.ofSeconds(Math.min(Math.max(seconds, 0), TtlAnnotationParser.MAX_SECONDS)))
                .orElse(defaultTtl);
        return createdAt.plus(effectiveTtl);
    }

    EventTarget eventTarget() {
        return new EventTarget(API_VERSION, KIND, namespace, name, uid, EventTarget.BERTH);
    }

    /** Builds a Reservation. */
    public static final class Builder {
        private final String namespace;
        private final String name;
        private final String uid;
        private final Instant createdAt;
        private boolean terminating;
        private String key = "";
        private String originalPodUid = "";
        private String nodeUid = "";
        private String nodeName = "";
        private Optional<Long> ttlSeconds = Optional.empty();
        private Resources size = Resources.NONE;
        private List<HostPort> hostPorts = List.of();
        private String phase = "";
        private String problem = "";
        private String statefulSetName = "";
        private String statefulSetUid = "";
        private Optional<Draw> draw = Optional.empty();
        private Optional<ClaimedHold> claimedHold = Optional.empty();

        private Builder(String namespace, String name, String uid, Instant created) {
            this.namespace = namespace;
            this.name = name;
            this.uid = uid;
            this.createdAt = created;
        }

        public Builder terminating(boolean value) {
            terminating = value;
            return this;
        }

        public Builder key(String value) {
            key = value;
            return this;
        }

        public Builder originalPodUid(String value) {
            originalPodUid = value;
            return this;
        }

        public Builder nodeUid(String value) {
            nodeUid = value;
            return this;
        }

        public Builder nodeName(String value) {
            nodeName = value;
            return this;
        }

        public Builder ttlSeconds(Optional<Long> value) {
            ttlSeconds = value;
            return this;
        }

        /** Sets the size to the requests of one pod and its pod slot. */
        public Builder requests(Resources value) {
            return size(PodSlot.addTo(value));
        }

        public Builder size(Resources value) {
            size = value;
            return this;
        }

        public Builder hostPorts(List<HostPort> value) {
            hostPorts = value;
            return this;
        }

        public Builder phase(String value) {
            phase = value;
            return this;
        }

        public Builder problem(String value) {
            problem = value;
            return this;
        }

        public Builder statefulSetName(String value) {
            statefulSetName = value;
            return this;
        }

        public Builder statefulSetUid(String value) {
            statefulSetUid = value;
            return this;
        }

        public Builder draw(Optional<Draw> value) {
            draw = value;
            return this;
        }

        public Builder claimedHold(Optional<ClaimedHold> value) {
            claimedHold = value;
            return this;
        }

        public GodelReservation build() {
            return new GodelReservation(
                    namespace,
                    name,
                    uid,
                    createdAt,
                    terminating,
                    key,
                    originalPodUid,
                    nodeUid,
                    nodeName,
                    ttlSeconds,
                    size,
                    hostPorts,
                    phase,
                    problem,
                    statefulSetName,
                    statefulSetUid,
                    draw,
                    claimedHold);
        }
    }
}
