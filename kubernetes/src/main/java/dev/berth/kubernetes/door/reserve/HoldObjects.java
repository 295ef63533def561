package dev.berth.kubernetes.door.reserve;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.door.reserve.HoldFact;
import dev.berth.core.door.reserve.HoldSpec;
import dev.berth.core.door.reserve.HoldWrite;
import dev.berth.core.door.reserve.Place;
import dev.berth.core.door.reserve.ReserveDoor;
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

/** How Hold objects are read and written. */
public final class HoldObjects {
    private static final KindPath HOLDS = new KindPath("holds", "Hold", "/apis/" + ReserveDoor.API_VERSION + "/holds");

    private HoldObjects() {}

    public static ObjectFeed<HoldFact> feed() {
        return new ObjectFeed<>(HOLDS, new HoldProjection(), fact -> fact, HoldFact.Gone::new);
    }

    public static void addForms(ObjectForms forms) {
        forms.with(HoldWrite.Create.class, HoldObjects::create)
                .with(HoldWrite.Shrink.class, HoldObjects::shrink)
                .with(HoldWrite.Delete.class, write -> ObjectRequest.delete(path(write.name()), write.uid()));
    }

    private static ObjectRequest create(HoldWrite.Create write) {
        Tree object = Tree.EMPTY
                .with(ReserveDoor.API_VERSION, "apiVersion")
                .with(ReserveDoor.KIND, "kind")
                .with(write.name(), "metadata", "name")
                .with(spec(write.spec()), "spec");
        return ObjectRequest.create(HOLDS.path(), object);
    }

    private static ObjectRequest shrink(HoldWrite.Shrink write) {
        Tree patch = Tree.EMPTY.with(write.uid(), "metadata", "uid").with(spec(write.spec()), "spec");
        return ObjectRequest.merge(path(write.name()), patch);
    }

    private static String path(String name) {
        return HOLDS.path() + "/" + name;
    }

    private static Map<String, Object> spec(HoldSpec spec) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("scheduler", spec.scheduler());
        map.put("words", spec.words());
        map.put("made", spec.made().toString());
        map.put("deadline", spec.deadline().toString());
        map.put("places", spec.places().stream().map(HoldObjects::place).toList());
        return map;
    }

    private static Map<String, Object> place(Place place) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put(
                "pod",
                Map.of(
                        "uid", place.pod().uid().value(),
                        "namespace", place.pod().namespace(),
                        "name", place.pod().name()));
        map.put(
                "node",
                Map.of("uid", place.node().uid().value(), "name", place.node().name()));
        map.put("size", size(place.size()));
        if (!place.ports().isEmpty()) {
            map.put("ports", ports(place.ports()));
        }
        return map;
    }

    private static Map<String, String> size(Resources size) {
        Map<String, String> map = new LinkedHashMap<>();
        for (int i = 0; i < size.size(); i++) {
            map.put(
                    size.nameAt(i).value(),
                    Quantity.of(size.nameAt(i), size.amountAt(i)).toString());
        }
        return map;
    }

    private static List<Map<String, Object>> ports(List<HostPort> ports) {
        return ports.stream()
                .map(port -> Map.<String, Object>of(
                        "protocol", port.protocol(), "address", port.address(), "port", port.port()))
                .toList();
    }
}
