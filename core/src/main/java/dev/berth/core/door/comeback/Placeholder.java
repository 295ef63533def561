package dev.berth.core.door.comeback;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.decision.Subject;
import dev.berth.core.hold.Draw;
import dev.berth.core.hold.HoldId;
import dev.berth.core.resource.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Gödel's Reservation as the API server shows it, made by this door or by hand. What it does not say is empty.
 *
 * @param podUid of the pod that left
 * @param nodeUid of the node it left, where whoever made it knew
 * @param size what it keeps, a pod slot among it
 * @param terminating whether somebody has asked for its deletion
 * @param problem in words, what about it cannot be understood
 * @param statefulSet the name of the StatefulSet whose pod left; empty where it was another object's
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
        Optional<Draw> draw,
        Optional<Took> took) {

    /**
     * A place that was taken. The pod's own record goes with the pod, so its reservation carries it on.
     *
     * @param pod the name of the pod that took it
     */
    public record Took(HoldId place, String pod) {}

    public Placeholder {
        ports = List.copyOf(ports);
    }

    /** One that no StatefulSet's pod left, and whose room is part of no other hold. */
    public Placeholder(
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
            String problem) {
        this(
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
                "",
                Optional.empty(),
                Optional.empty());
    }

    /** The same with what it draws on. */
    public Placeholder drawing(Draw on) {
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
                Optional.of(on),
                took);
    }

    static String fullName(String namespace, String name) {
        return namespace + "/" + name;
    }

    /** The same before and after the object exists: its name and the pod that left are known from the start. */
    static HoldId holdId(String namespace, String name, String identity) {
        return new HoldId("return/%s/%s/%s".formatted(namespace, name, identity));
    }

    static boolean isOurs(HoldId id) {
        return id.value().startsWith("return/");
    }

    HoldId holdId() {
        return holdId(namespace, name, podUid.isEmpty() ? uid : podUid);
    }

    /** What it shows to be taken. A pod takes only places of its namespace. */
    Optional<Took> taken() {
        return took.filter(it -> !podUid.isEmpty()
                && !podOf(it.place()).isEmpty()
                && isOurs(it.place())
                && it.place().value().startsWith("return/" + namespace + "/"));
    }

    /** The UID of the pod that left the place. */
    static String podOf(HoldId place) {
        return place.value().substring(place.value().lastIndexOf('/') + 1);
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
            return problem;
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
                "scheduling.godel.kubewharf.io/v1alpha1", "Reservation", namespace, name, uid, Words.REPORTER);
    }
}
