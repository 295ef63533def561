package dev.berth.kubernetes.door.godel;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.godel.CheckpointObject;
import dev.berth.core.door.godel.CheckpointWrite;
import dev.berth.core.door.godel.CheckpointedPod;
import dev.berth.core.door.godel.GodelFact;
import dev.berth.kubernetes.effects.WriteEncoders;
import dev.berth.kubernetes.effects.WriteRequest;
import dev.berth.kubernetes.informer.WatchedResource;
import dev.berth.kubernetes.json.JsonObject;
import dev.berth.kubernetes.watch.ApiResource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Reads and writes Checkpoint objects. Berth also runs if the API server does not have them or denies them. */
final class CheckpointApi {
    private static final ApiResource CHECKPOINTS = new ApiResource(
                    "checkpoints", CheckpointObject.KIND, "/apis/" + CheckpointObject.API_VERSION + "/checkpoints")
            .asOptional();

    private CheckpointApi() {}

    static WatchedResource<?> checkpoints() {
        return new WatchedResource<>(
                CHECKPOINTS,
                new CheckpointProjection(),
                GodelFact.CheckpointUpserted::new,
                GodelFact.CheckpointDeleted::new);
    }

    static void addEncoders(WriteEncoders encoders) {
        encoders.register(CheckpointWrite.CreateCheckpoint.class, CheckpointApi::create)
                .register(CheckpointWrite.PatchCheckpoint.class, CheckpointApi::patch)
                .register(CheckpointWrite.DeleteCheckpoint.class, write -> WriteRequest.delete(path(write), ""));
    }

    static WriteRequest create(CheckpointWrite.CreateCheckpoint write) {
        JsonObject object = JsonObject.EMPTY
                .with(CheckpointObject.API_VERSION, "apiVersion")
                .with(CheckpointObject.KIND, "kind")
                .with(write.name(), "metadata", "name")
                .with(pods(write.pods()), "spec", "pods");
        return WriteRequest.create(CHECKPOINTS.path(), object);
    }

    static WriteRequest patch(CheckpointWrite.PatchCheckpoint write) {
        Map<String, Object> pods = pods(write.upserts());
        write.removed().forEach(uid -> pods.put(uid.value(), JsonObject.NULL));
        return WriteRequest.mergePatch(path(write), JsonObject.EMPTY.with(pods, "spec", "pods"));
    }

    private static String path(CheckpointWrite write) {
        return CHECKPOINTS.path() + "/" + write.name();
    }

    private static Map<String, Object> pods(Map<PodUid, CheckpointedPod> pods) {
        Map<String, Object> map = new LinkedHashMap<>();
        pods.forEach((uid, pod) -> map.put(uid.value(), pod(pod)));
        return map;
    }

    /** A merge patch keeps fields that it does not contain, so every field is written. */
    private static Map<String, Object> pod(CheckpointedPod pod) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("namespace", pod.namespace());
        map.put("name", pod.name());
        map.put("nodeName", pod.nodeName());
        map.put("nodeUID", pod.nodeUid());
        map.put("successorKey", pod.key());
        map.put("ttlSeconds", pod.ttl().toSeconds());
        map.put("requests", join(pod.requests().toQuantities()));
        map.put("hostPorts", pod.hostPorts().stream().map(CheckpointApi::port).toList());
        map.put("schedulerName", pod.schedulerName());
        map.put("priority", pod.priority());
        map.put("controllerAPIVersion", pod.controller().apiVersion());
        map.put("controllerKind", pod.controller().kind());
        map.put("controllerName", pod.controller().name());
        map.put("controllerUID", pod.controller().uid());
        map.put("holds", pod.holdIds());
        map.put("requestedByUIDs", pod.requestedBy());
        map.put("reserveOnDelete", pod.reservesOnDeletion());
        map.put("reservationUID", pod.reservationUid());
        map.put("labels", join(pod.labels().toMap()));
        map.put("tolerations", TolerationCodec.encode(pod.tolerations()));
        return map;
    }

    /** One string, so that a merge patch replaces all of it. */
    private static String join(Map<String, String> entries) {
        return entries.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(","));
    }

    private static Map<String, Object> port(HostPort port) {
        return Map.of("protocol", port.protocol(), "hostIP", port.address(), "hostPort", port.port());
    }

    static List<HostPort> ports(JsonObject pod) {
        return pod.objects("hostPorts").stream()
                .map(port -> new HostPort(
                        port.text("protocol"), port.text("hostIP"), Math.toIntExact(port.number("hostPort"))))
                .toList();
    }
}
