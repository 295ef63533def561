package dev.berth.core.door.comeback;

import dev.berth.core.cluster.ControllerRef;
import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodShape;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Toleration;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.ReturnKey;
import dev.berth.core.resource.Resources;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A bound pod that asked to be returned to, with all that is needed to keep its place once it is gone; or one that leaves
 * no place, but took one of which nothing else says durably that it was taken; or one whose place a Reservation keeps.
 *
 * @param nodeUid of the node it is on: a node that was replaced has no place for it
 * @param key by which its successor is known
 * @param ttl for how long its place is kept
 * @param controller the object that controls it; empty texts where there is none
 * @param hold the hold that the pod's record names, and after commas those through which the pod came to it; empty
 *     where there is none
 * @param askedBy the UIDs of the Deployments and the StatefulSet that ask for the pod; none where the pod asks for itself
 * @param leavesPlace whether its place is kept when it is gone
 * @param reservation the UID of the Reservation that keeps the place of the pod, which is gone; empty where none is known
 * @param labels of a pod that uses a hold: whether that hold admits its successor depends on them
 * @param tolerations likewise
 */
public record CheckpointedPod(
        PodUid uid,
        String namespace,
        String name,
        String node,
        String nodeUid,
        String key,
        Duration ttl,
        Resources requests,
        List<HostPort> ports,
        String schedulerName,
        int priority,
        Controller controller,
        String hold,
        List<String> askedBy,
        boolean leavesPlace,
        String reservation,
        Labels labels,
        List<Toleration> tolerations) {

    private static final int FIELD_NAMES = 240;
    private static final int AMOUNT = 32;
    private static final int PORT = 64;
    private static final int TOLERATION = 64;

    /** The object that controls the pod. */
    public record Controller(String apiVersion, String kind, String name, String uid) {
        public static final Controller NONE = new Controller("", "", "", "");
    }

    public CheckpointedPod {
        ports = List.copyOf(ports);
        askedBy = List.copyOf(askedBy);
        tolerations = List.copyOf(tolerations);
        if (uid.value().isEmpty() || namespace.isEmpty() || name.isEmpty() || node.isEmpty() || key.isEmpty()) {
            throw new IllegalArgumentException(
                    "uid (%s), namespace (%s), name (%s), node (%s) and key (%s) must not be empty"
                            .formatted(uid, namespace, name, node, key));
        }
        if (ttl.toSeconds() < 1 || ttl.toSeconds() > Lifetime.MOST) {
            throw new IllegalArgumentException(
                    "ttlSeconds (%d) must be from 1 to %d".formatted(ttl.toSeconds(), Lifetime.MOST));
        }
        for (int i = 0; i < requests.size(); i++) {
            if (requests.amountAt(i) < 0) {
                throw new IllegalArgumentException(
                        "requests of %s (%d) must not be negative".formatted(requests.nameAt(i), requests.amountAt(i)));
            }
        }
    }

    static CheckpointedPod of(
            Pod pod, String nodeUid, ReturnKey key, Duration ttl, List<String> askedBy, boolean leavesPlace) {
        return new CheckpointedPod(
                pod.uid(),
                pod.namespace(),
                pod.name(),
                pod.nodeName().orElse(""),
                nodeUid,
                key.key(),
                ttl,
                pod.shape().requests(),
                pod.shape().hostPorts(),
                pod.schedulerName(),
                pod.priority(),
                pod.controller()
                        .map(owner -> new Controller(owner.apiVersion(), owner.kind(), owner.name(), owner.uid()))
                        .orElse(Controller.NONE),
                holds(pod),
                askedBy,
                leavesPlace,
                "",
                holds(pod).isEmpty() ? Labels.NONE : pod.labels(),
                holds(pod).isEmpty() ? List.of() : pod.shape().tolerations());
    }

    private static String holds(Pod pod) {
        return Claim.allRecordedIn(pod.annotations()).map(HoldId::value).collect(Collectors.joining(","));
    }

    /** The same once a Reservation keeps its place: it stays to say what that Reservation may keep. */
    CheckpointedPod writtenAs(String reservationUid) {
        return new CheckpointedPod(
                uid,
                namespace,
                name,
                node,
                nodeUid,
                key,
                ttl,
                requests,
                ports,
                schedulerName,
                priority,
                controller,
                hold,
                askedBy,
                false,
                reservationUid,
                labels,
                tolerations);
    }

    /** The pod as the door would have seen it go. */
    Pod pod() {
        Map<String, String> annotations = new TreeMap<>();
        annotations.put(Words.RESERVATION, Boolean.toString(leavesPlace));
        annotations.put(Words.TTL, Long.toString(ttl.toSeconds()));
        annotations.put(ReturnKey.INDEX, key);
        List<HoldId> holds = Stream.of(hold.split(","))
                .flatMap(id -> HoldId.parse(id).stream())
                .toList();
        if (!holds.isEmpty()) {
            annotations.putAll(Claim.record(holds.get(0), holds.subList(1, holds.size())));
        }
        Optional<ControllerRef> owner = controller.equals(Controller.NONE)
                ? Optional.empty()
                : Optional.of(new ControllerRef(
                        controller.apiVersion(), controller.kind(), controller.name(), controller.uid()));
        return Pod.builder(uid, namespace, name)
                .labels(labels)
                .annotations(Labels.of(annotations))
                .controller(owner)
                .shape(PodShape.builder()
                        .requests(requests)
                        .hostPorts(ports)
                        .tolerations(tolerations)
                        .build())
                .schedulerName(schedulerName)
                .priority(priority)
                .nodeName(Optional.of(node))
                .build();
    }

    /** About how many bytes it takes in the object. */
    int bytes() {
        int texts = 0;
        for (String text : List.of(
                uid.value(),
                namespace,
                name,
                node,
                nodeUid,
                key,
                schedulerName,
                controller.apiVersion(),
                controller.kind(),
                controller.name(),
                controller.uid(),
                hold,
                String.join(",", askedBy),
                reservation)) {
            texts += text.getBytes(StandardCharsets.UTF_8).length;
        }
        for (int i = 0; i < requests.size(); i++) {
            texts += requests.nameAt(i).value().length() + AMOUNT;
        }
        for (Map.Entry<String, String> label : labels.toMap().entrySet()) {
            texts += label.getKey().length() + label.getValue().length() + 2;
        }
        for (Toleration toleration : tolerations) {
            texts += TOLERATION + toleration.key().length() + toleration.value().length();
        }
        return FIELD_NAMES + texts + ports.size() * PORT;
    }
}
