package dev.berth.core.door.comeback;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Subject;
import dev.berth.core.door.comeback.PlaceId.PodKey;
import dev.berth.core.hold.Draw;
import dev.berth.core.hold.HoldId;
import dev.berth.core.resource.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Gödel's Reservation as the API server shows it, made by this door or by hand. What it does not say is empty.
 *
 * @param podUid of the pod that left
 * @param nodeUid of the node it left, where whoever made it knew
 * @param size what it keeps, a pod slot among it
 * @param terminating whether somebody has asked for its deletion
 * @param problem in words, what about it cannot be understood
 * @param statefulSet the name of the StatefulSet whose pod left; empty where it was another object's
 * @param statefulSetUid its UID; empty where the author of the reservation did not know it
 * @param draw the hold that its room is part of, with a stand-in for the successor
 * @param took the place that the pod which left had taken itself
 */
public record Placeholder(
        String namespace,
        String name,
        String uid,
        Instant created,
        boolean terminating,
        String key,
        String podUid,
        String nodeUid,
        String node,
        Optional<Long> ttl,
        Resources size,
        List<HostPort> ports,
        String phase,
        String problem,
        String statefulSet,
        String statefulSetUid,
        Optional<Draw> draw,
        Optional<Took> took) {

    /**
     * A place that was taken. The pod's own record goes with the pod, so its reservation carries it on.
     *
     * @param pod the name of the pod that took it
     */
    public record Took(HoldId place, String pod) {}

    /** A malformed annotation is left out and becomes the problem of this reservation: it must not affect other objects. */
    public Placeholder {
        ports = List.copyOf(ports);
        PlaceholderCheck check = new PlaceholderCheck(new PlaceholderCheck.Named(namespace, name, uid), problem);
        podUid = check.podUid(podUid);
        draw = check.draw(draw, podUid);
        took = check.took(took);
        problem = check.problem();
    }

    public static Builder builder(String namespace, String name, String uid, Instant created) {
        return new Builder(namespace, name, uid, created);
    }

    /** Whether the same place would be kept for both; which pods may take it is left out. */
    boolean wantsTheSameAs(@Nullable Placeholder other) {
        return other != null && node.equals(other.node) && size.equals(other.size) && ports.equals(other.ports);
    }

    public Builder toBuilder() {
        return new Builder(namespace, name, uid, created)
                .terminating(terminating)
                .key(key)
                .podUid(podUid)
                .nodeUid(nodeUid)
                .node(node)
                .ttl(ttl)
                .size(size)
                .ports(ports)
                .phase(phase)
                .problem(problem)
                .statefulSet(statefulSet)
                .statefulSetUid(statefulSetUid)
                .draw(draw)
                .took(took);
    }

    static String fullName(String namespace, String name) {
        return namespace + "/" + name;
    }

    /** The same where it does not stand for the pod that it names. What that pod took is not said either. */
    Placeholder withoutPod() {
        return toBuilder().podUid("").build();
    }

    /** The place of one that stands for no pod. */
    HoldId ownHoldId() {
        return new PlaceId(namespace, name, new PodUid(uid)).holdId();
    }

    /** The same before and after the object exists: its name and the pod that left are known from the start. */
    HoldId holdId() {
        return new PlaceId(namespace, name, pod().orElseGet(() -> new PodUid(uid))).holdId();
    }

    /** The pod that left; empty where it stands for none. */
    Optional<PodUid> pod() {
        return podUid.isEmpty() ? Optional.empty() : Optional.of(new PodUid(podUid));
    }

    Optional<PodKey> leftBy() {
        return pod().map(uid -> new PodKey(namespace, uid));
    }

    /** What it shows to be taken by the pod that left. */
    Optional<Took> taken() {
        return podUid.isEmpty() ? Optional.empty() : took;
    }

    /** The pod that left the place which it shows to be taken. */
    Optional<PodKey> takenFrom() {
        return taken().flatMap(it -> PlaceId.parse(it.place())).map(PlaceId::leftBy);
    }

    String fullName() {
        return fullName(namespace, name);
    }

    boolean matched() {
        return phase.equals("Matched");
    }

    /** Whether it stands for a place, as Gödel sees it: a node is named, and nobody has said that it is over. */
    boolean occupies() {
        return !node.isEmpty() && !matched() && !phase.equals("TimeOut") && !terminating;
    }

    /** Why it cannot keep anything though it should; empty where it can. */
    String shortcoming() {
        if (!problem.isEmpty()) {
            return "The Reservation keeps nothing: " + problem;
        }
        return key.isEmpty()
                ? "annotation godel.bytedance.com/reservation-index is missing: nobody could come back to the place"
                : "";
    }

    Instant deadline(Duration usual) {
        Duration life = ttl.map(seconds -> Duration.ofSeconds(Math.min(Math.max(seconds, 0), Lifetime.MOST)))
                .orElse(usual);
        return created.plus(life);
    }

    Subject subject() {
        return new Subject(
                "scheduling.godel.kubewharf.io/v1alpha1", "Reservation", namespace, name, uid, Subject.BERTH);
    }

    /** Collects what a reservation says. */
    public static final class Builder {
        private final String namespace;
        private final String name;
        private final String uid;
        private final Instant created;
        private boolean terminating;
        private String key = "";
        private String podUid = "";
        private String nodeUid = "";
        private String node = "";
        private Optional<Long> ttl = Optional.empty();
        private Resources size = Resources.NONE;
        private List<HostPort> ports = List.of();
        private String phase = "";
        private String problem = "";
        private String statefulSet = "";
        private String statefulSetUid = "";
        private Optional<Draw> draw = Optional.empty();
        private Optional<Took> took = Optional.empty();

        private Builder(String namespace, String name, String uid, Instant created) {
            this.namespace = namespace;
            this.name = name;
            this.uid = uid;
            this.created = created;
        }

        public Builder terminating(boolean value) {
            terminating = value;
            return this;
        }

        public Builder key(String value) {
            key = value;
            return this;
        }

        public Builder podUid(String value) {
            podUid = value;
            return this;
        }

        public Builder nodeUid(String value) {
            nodeUid = value;
            return this;
        }

        public Builder node(String value) {
            node = value;
            return this;
        }

        public Builder ttl(Optional<Long> value) {
            ttl = value;
            return this;
        }

        public Builder size(Resources value) {
            size = value;
            return this;
        }

        public Builder ports(List<HostPort> value) {
            ports = value;
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

        public Builder statefulSet(String value) {
            statefulSet = value;
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

        public Builder took(Optional<Took> value) {
            took = value;
            return this;
        }

        public Placeholder build() {
            return new Placeholder(
                    namespace,
                    name,
                    uid,
                    created,
                    terminating,
                    key,
                    podUid,
                    nodeUid,
                    node,
                    ttl,
                    size,
                    ports,
                    phase,
                    problem,
                    statefulSet,
                    statefulSetUid,
                    draw,
                    took);
        }
    }
}
