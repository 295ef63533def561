package dev.berth.kubernetes.door.globalreserve;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.door.globalreserve.GlobalReserveDoor;
import dev.berth.core.door.globalreserve.ReservedPlace;
import dev.berth.core.door.globalreserve.StoredHoldFact;
import dev.berth.core.door.globalreserve.StoredHoldSpec;
import dev.berth.core.door.globalreserve.StoredHoldWrite;
import dev.berth.kubernetes.effects.WriteEncoders;
import dev.berth.kubernetes.effects.WriteRequest;
import dev.berth.kubernetes.informer.WatchedResource;
import dev.berth.kubernetes.json.JsonObject;
import dev.berth.kubernetes.watch.ApiResource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads and writes StoredHold objects. */
public final class GlobalReserveApi {
    private static final ApiResource HOLDS = new ApiResource(
            "storedholds", GlobalReserveDoor.KIND, "/apis/" + GlobalReserveDoor.API_VERSION + "/storedholds");

    private GlobalReserveApi() {}

    public static WatchedResource<StoredHoldFact> storedHolds() {
        return new WatchedResource<>(HOLDS, new ReservedGroupProjection(), fact -> fact, StoredHoldFact.Deleted::new);
    }

    public static void addEncoders(WriteEncoders encoders) {
        encoders.register(StoredHoldWrite.Create.class, GlobalReserveApi::encodeCreate)
                .register(StoredHoldWrite.Update.class, GlobalReserveApi::encodeUpdate)
                .register(StoredHoldWrite.Delete.class, write -> WriteRequest.delete(path(write.name()), write.uid()));
    }

    private static WriteRequest encodeCreate(StoredHoldWrite.Create write) {
        JsonObject object = JsonObject.EMPTY
                .with(GlobalReserveDoor.API_VERSION, "apiVersion")
                .with(GlobalReserveDoor.KIND, "kind")
                .with(write.name(), "metadata", "name")
                .with(spec(write.spec()), "spec");
        return WriteRequest.create(HOLDS.path(), object);
    }

    private static WriteRequest encodeUpdate(StoredHoldWrite.Update write) {
        JsonObject patch = JsonObject.EMPTY.with(write.uid(), "metadata", "uid").with(spec(write.spec()), "spec");
        return WriteRequest.mergePatch(path(write.name()), patch);
    }

    private static String path(String name) {
        return HOLDS.path() + "/" + name;
    }

    private static Map<String, Object> spec(StoredHoldSpec spec) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("schedulerName", spec.schedulerName());
        map.put("summary", spec.summary());
        map.put("requestedAt", spec.requestedAt().toString());
        map.put("expiresAt", spec.deadline().toString());
        map.put("holds", spec.places().stream().map(GlobalReserveApi::place).toList());
        return map;
    }

    private static Map<String, Object> place(ReservedPlace place) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put(
                "podRef",
                Map.of(
                        "uid", place.pod().uid().value(),
                        "namespace", place.pod().namespace(),
                        "name", place.pod().name()));
        map.put(
                "nodeRef",
                Map.of("uid", place.node().uid().value(), "name", place.node().name()));
        map.put("resources", place.size().toQuantities());
        if (!place.ports().isEmpty()) {
            map.put("hostPorts", ports(place.ports()));
        }
        return map;
    }

    private static List<Map<String, Object>> ports(List<HostPort> ports) {
        return ports.stream()
                .map(port -> Map.<String, Object>of(
                        "protocol", port.protocol(), "hostIP", port.address(), "hostPort", port.port()))
                .toList();
    }
}
