package dev.berth.kubernetes.door.koordinator;

import dev.berth.core.door.koordinator.CurrentOwner;
import dev.berth.core.door.koordinator.ReservationCondition;
import dev.berth.core.door.koordinator.ReservationStatus;
import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.kubernetes.json.JsonObject;
import dev.berth.kubernetes.time.Rfc3339;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads the status of a reservation. */
final class ReservationStatusReader {
    private ReservationStatusReader() {}

    static ReservationStatus read(JsonObject status) {
        return new ReservationStatus(
                ReservationStatus.ReservationPhase.parse(status.text("phase")),
                status.text("nodeName"),
                amounts(status.stringMap("allocatable")),
                amounts(status.stringMap("allocated")),
                owners(status),
                conditions(status),
                status.toMap().isEmpty());
    }

    private static Resources amounts(Map<String, String> texts) {
        Map<ResourceName, Quantity> quantities = new TreeMap<>();
        texts.forEach((name, text) -> quantities.put(new ResourceName(name), Quantity.parseCapped(text)));
        return Resources.ofQuantities(quantities).atLeastZero();
    }

    private static List<CurrentOwner> owners(JsonObject status) {
        return status.objects("currentOwners").stream()
                .map(owner -> new CurrentOwner(owner.text("namespace"), owner.text("name"), owner.text("uid")))
                .sorted(Comparator.comparing(CurrentOwner::uid))
                .toList();
    }

    private static List<ReservationCondition> conditions(JsonObject status) {
        List<ReservationCondition> conditions = new ArrayList<>();
        for (JsonObject source : status.objects("conditions")) {
            for (ReservationCondition.Type type : ReservationCondition.Type.values()) {
                if (type.value().equals(source.text("type"))) {
                    conditions.add(condition(type, source));
                }
            }
        }
        String nominated = status.text("nominatedNodeName");
        boolean shown =
                conditions.stream().anyMatch(condition -> condition.type() == ReservationCondition.Type.NODE_NOMINATED);
        if (!nominated.isEmpty() && !shown) {
            conditions.add(ReservationCondition.nominatedNode(nominated, Instant.EPOCH));
        }
        return conditions;
    }

    private static ReservationCondition condition(ReservationCondition.Type type, JsonObject source) {
        return new ReservationCondition(
                type,
                source.text("status").equals("True"),
                source.text("reason"),
                source.text("message"),
                time(source.text("lastProbeTime")),
                time(source.text("lastTransitionTime")));
    }

    private static Instant time(String text) {
        return text.isEmpty() ? Instant.EPOCH : Rfc3339.parse(text);
    }
}
