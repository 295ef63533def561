package dev.berth.kubernetes.door.comeback;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.comeback.CheckpointObject;
import dev.berth.core.door.comeback.CheckpointWrite;
import dev.berth.core.door.comeback.CheckpointedPod;
import dev.berth.core.door.comeback.ComebackFact;
import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.Resources;
import dev.berth.kubernetes.effects.ObjectForms;
import dev.berth.kubernetes.effects.ObjectRequest;
import dev.berth.kubernetes.feed.ObjectFeed;
import dev.berth.kubernetes.json.Tree;
import dev.berth.kubernetes.watch.KindPath;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** How Checkpoint objects are read and written. A server without them, or without a right to them, is served all the same. */
final class Checkpoints {
    private static final KindPath CHECKPOINTS = new KindPath(
                    "checkpoints", "Checkpoint", "/apis/" + CheckpointObject.API_VERSION + "/checkpoints")
            .orNone();

    private Checkpoints() {}

    static ObjectFeed<?> feed() {
        return new ObjectFeed<>(
                CHECKPOINTS,
                new CheckpointProjection(),
                ComebackFact.CheckpointSeen::new,
                ComebackFact.CheckpointGone::new);
    }

    static void addForms(ObjectForms forms) {
        forms.with(CheckpointWrite.Create.class, Checkpoints::create)
                .with(CheckpointWrite.Change.class, Checkpoints::change)
                .with(CheckpointWrite.Delete.class, write -> ObjectRequest.delete(path(write), ""));
    }

    static ObjectRequest create(CheckpointWrite.Create write) {
        Tree object = Tree.EMPTY
                .with(CheckpointObject.API_VERSION, "apiVersion")
                .with(CheckpointObject.KIND, "kind")
                .with(write.name(), "metadata", "name")
                .with(pods(write.pods()), "spec", "pods");
        return ObjectRequest.create(CHECKPOINTS.path(), object);
    }

    static ObjectRequest change(CheckpointWrite.Change write) {
        Map<String, Object> pods = pods(write.put());
        write.removed().forEach(uid -> pods.put(uid.value(), Tree.NULL));
        return ObjectRequest.merge(path(write), Tree.EMPTY.with(pods, "spec", "pods"));
    }

    private static String path(CheckpointWrite write) {
        return CHECKPOINTS.path() + "/" + write.name();
    }

    private static Map<String, Object> pods(Map<PodUid, CheckpointedPod> pods) {
        Map<String, Object> map = new LinkedHashMap<>();
        pods.forEach((uid, pod) -> map.put(uid.value(), pod(pod)));
        return map;
    }

    /** What is left out is empty: a merge must not leave it as it was, so every field is written. */
    private static Map<String, Object> pod(CheckpointedPod pod) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("namespace", pod.namespace());
        map.put("name", pod.name());
        map.put("nodeName", pod.node());
        map.put("nodeUID", pod.nodeUid());
        map.put("key", pod.key());
        map.put("ttlSeconds", pod.ttl().toSeconds());
        map.put("requests", quantities(pod.requests()));
        map.put("ports", pod.ports().stream().map(Checkpoints::port).toList());
        map.put("schedulerName", pod.schedulerName());
        map.put("priority", pod.priority());
        map.put("controllerAPIVersion", pod.controller().apiVersion());
        map.put("controllerKind", pod.controller().kind());
        map.put("controllerName", pod.controller().name());
        map.put("controllerUID", pod.controller().uid());
        map.put("hold", pod.hold());
        map.put("askedByUIDs", pod.askedBy());
        map.put("leavesPlace", pod.leavesPlace());
        map.put("reservationUID", pod.reservation());
        map.put("labels", labels(pod.labels()));
        map.put("tolerations", Tolerations.words(pod.tolerations()));
        return map;
    }

    /** As one text, so that a merge replaces all of it. */
    private static String quantities(Resources requests) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < requests.size(); i++) {
            text.append(i == 0 ? "" : ",")
                    .append(requests.nameAt(i).value())
                    .append('=')
                    .append(Quantity.of(requests.nameAt(i), requests.amountAt(i)));
        }
        return text.toString();
    }

    /** As one text, too. */
    private static String labels(Labels labels) {
        return labels.toMap().entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .collect(Collectors.joining(","));
    }

    private static Map<String, Object> port(HostPort port) {
        return Map.of("protocol", port.protocol(), "address", port.address(), "port", port.port());
    }

    static List<HostPort> ports(Tree pod) {
        return pod.trees("ports").stream()
                .map(port ->
                        new HostPort(port.text("protocol"), port.text("address"), Math.toIntExact(port.number("port"))))
                .toList();
    }
}
