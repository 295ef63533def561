package dev.berth.core.door.godel;

import dev.berth.core.cluster.ControllerRef;
import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodSpec;
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
 * The entry of one pod in the checkpoint. It has everything that Berth needs to create the pod's Reservation after the
 * pod was deleted. There are three kinds of entries:
 *
 * <ul>
 * <li>A bound pod that requests a Reservation.
 * <li>A pod that claimed a hold, where no object on the API server shows the claim.
 * <li>A deleted pod whose Reservation exists, as a proof that Berth created the Reservation.
 * </ul>
 *
 * @param nodeUid of the pod's node: a node that was replaced has another UID
 * @param key the return key, by which the successor is recognized
 * @param ttl the TTL of the pod's Reservation
 * @param controller the object that controls the pod; empty texts if there is none
 * @param holdIds the hold that the pod's bind recorded, and after commas the holds that draw on it; empty if there is
 *     none
 * @param requestedBy the UIDs of the Deployments and the StatefulSet that request a Reservation for the pod; none if
 *     the pod requests it itself
 * @param reservesOnDeletion whether a Reservation is created when the pod is deleted
 * @param reservationUid the UID of the Reservation of the deleted pod; empty if none is known
 * @param labels of a pod that uses a hold: they decide whether that hold admits the successor
 * @param tolerations of a pod that uses a hold, for the same reason
 */
public record CheckpointedPod(
        PodUid uid,
        String namespace,
        String name,
        String nodeName,
        String nodeUid,
        String key,
        Duration ttl,
        Resources requests,
        List<HostPort> hostPorts,
        String schedulerName,
        int priority,
        Controller controller,
        String holdIds,
        List<String> requestedBy,
        boolean reservesOnDeletion,
        String reservationUid,
        Labels labels,
        List<Toleration> tolerations) {

    private static final int FIELD_NAMES_BYTES = 240;
    private static final int AMOUNT_BYTES = 32;
    private static final int PORT_BYTES = 64;
    private static final int TOLERATION_BYTES = 64;

    /** The object that controls the pod. */
    public record Controller(String apiVersion, String kind, String name, String uid) {
        public static final Controller NONE = new Controller("", "", "", "");
    }

    public CheckpointedPod {
        hostPorts = List.copyOf(hostPorts);
        requestedBy = List.copyOf(requestedBy);
        tolerations = List.copyOf(tolerations);
        if (uid.value().isEmpty() || namespace.isEmpty() || name.isEmpty() || nodeName.isEmpty() || key.isEmpty()) {
            throw new IllegalArgumentException(
                    "uid (%s), namespace (%s), name (%s), node (%s) and key (%s) must not be empty"
                            .formatted(uid, namespace, name, nodeName, key));
        }
        if (ttl.toSeconds() < 1 || ttl.toSeconds() > TtlAnnotationParser.MAX_SECONDS) {
            throw new IllegalArgumentException(
                    "ttlSeconds (%d) must be from 1 to %d".formatted(ttl.toSeconds(), TtlAnnotationParser.MAX_SECONDS));
        }
        for (int i = 0; i < requests.size(); i++) {
            if (requests.amountAt(i) < 0) {
                throw new IllegalArgumentException(
                        "requests of %s (%d) must not be negative".formatted(requests.nameAt(i), requests.amountAt(i)));
            }
        }
    }

    static CheckpointedPod of(
            Pod pod,
            String nodeUid,
            ReturnKey key,
            Duration ttl,
            List<String> requestedBy,
            boolean reservesOnDeletion) {
        return new CheckpointedPod(
                pod.uid(),
                pod.namespace(),
                pod.name(),
                pod.nodeName().orElse(""),
                nodeUid,
                key.key(),
                ttl,
                pod.spec().requests(),
                pod.spec().hostPorts(),
                pod.schedulerName(),
                pod.priority(),
                pod.controller()
                        .map(owner -> new Controller(owner.apiVersion(), owner.kind(), owner.name(), owner.uid()))
                        .orElse(Controller.NONE),
                recordedHoldIds(pod),
                requestedBy,
                reservesOnDeletion,
                "",
                recordedHoldIds(pod).isEmpty() ? Labels.NONE : pod.labels(),
                recordedHoldIds(pod).isEmpty() ? List.of() : pod.spec().tolerations());
    }

    private static String recordedHoldIds(Pod pod) {
        return Claim.holdsRecordedIn(pod.annotations()).map(HoldId::value).collect(Collectors.joining(","));
    }

    /** The entry once the Reservation exists: it proves what the Reservation may hold. */
    CheckpointedPod withReservation(String reservationUid) {
        return new CheckpointedPod(
                uid,
                namespace,
                name,
                nodeName,
                nodeUid,
                key,
                ttl,
                requests,
                hostPorts,
                schedulerName,
                priority,
                controller,
                holdIds,
                requestedBy,
                false,
                reservationUid,
                labels,
                tolerations);
    }

    /** The pod as the watch would have shown it when it was deleted. */
    Pod toPod() {
        Map<String, String> annotations = new TreeMap<>();
        annotations.put(GodelAnnotations.RESERVATION, Boolean.toString(reservesOnDeletion));
        annotations.put(GodelAnnotations.TTL, Long.toString(ttl.toSeconds()));
        List<HoldId> holds = Stream.of(holdIds.split(","))
                .flatMap(id -> HoldId.parse(id).stream())
                .toList();
        if (!holds.isEmpty()) {
            annotations.putAll(Claim.bindAnnotations(holds.get(0), holds.subList(1, holds.size())));
        }
        Optional<ControllerRef> owner = controller.equals(Controller.NONE)
                ? Optional.empty()
                : Optional.of(new ControllerRef(
                        controller.apiVersion(), controller.kind(), controller.name(), controller.uid()));
        return Pod.builder(uid, namespace, name)
                .labels(labels)
                .annotations(Labels.of(annotations))
                .returnKey(Optional.of(key))
                .controller(owner)
                .spec(PodSpec.builder()
                        .requests(requests)
                        .hostPorts(hostPorts)
                        .tolerations(tolerations)
                        .build())
                .schedulerName(schedulerName)
                .priority(priority)
                .nodeName(Optional.of(nodeName))
                .build();
    }

    /** The approximate size of the entry in the object. */
    int estimatedBytes() {
        int total = 0;
        for (String text : List.of(
                uid.value(),
                namespace,
                name,
                nodeName,
                nodeUid,
                key,
                schedulerName,
                controller.apiVersion(),
                controller.kind(),
                controller.name(),
                controller.uid(),
                holdIds,
                String.join(",", requestedBy),
                reservationUid)) {
            total += text.getBytes(StandardCharsets.UTF_8).length;
        }
        for (int i = 0; i < requests.size(); i++) {
            total += requests.nameAt(i).value().length() + AMOUNT_BYTES;
        }
        for (Map.Entry<String, String> label : labels.toMap().entrySet()) {
            total += label.getKey().length() + label.getValue().length() + 2;
        }
        for (Toleration toleration : tolerations) {
            total += TOLERATION_BYTES
                    + toleration.key().length()
                    + toleration.value().length();
        }
        return FIELD_NAMES_BYTES + total + hostPorts.size() * PORT_BYTES;
    }
}
