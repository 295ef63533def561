package dev.berth.kubernetes.door.reservation;

import dev.berth.core.door.reservation.Condition;
import dev.berth.core.door.reservation.CurrentOwner;
import dev.berth.core.door.reservation.Status;
import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.kubernetes.json.Tree;
import dev.berth.kubernetes.time.Times;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads what a reservation says of itself. */
final class StatusReader {
    private StatusReader() {}

    static Status read(Tree status) {
        return new Status(
                Status.Phase.of(status.text("phase")),
                status.text("nodeName"),
                amounts(status.map("allocatable")),
                amounts(status.map("allocated")),
                owners(status),
                conditions(status),
                status.toMap().isEmpty());
    }

    private static Resources amounts(Map<String, String> texts) {
        Map<ResourceName, Quantity> quantities = new TreeMap<>();
        texts.forEach((name, text) -> quantities.put(new ResourceName(name), Quantity.parseCapped(text)));
        return Resources.ofQuantities(quantities).atLeastZero();
    }

    private static List<CurrentOwner> owners(Tree status) {
        return status.trees("currentOwners").stream()
                .map(owner -> new CurrentOwner(owner.text("namespace"), owner.text("name"), owner.text("uid")))
                .sorted(Comparator.comparing(CurrentOwner::uid))
                .toList();
    }

    private static List<Condition> conditions(Tree status) {
        List<Condition> conditions = new ArrayList<>();
        for (Tree said : status.trees("conditions")) {
            for (Condition.Type type : Condition.Type.values()) {
                if (type.word().equals(said.text("type"))) {
                    conditions.add(condition(type, said));
                }
            }
        }
        return conditions;
    }

    private static Condition condition(Condition.Type type, Tree said) {
        return new Condition(
                type,
                said.text("status").equals("True"),
                said.text("reason"),
                said.text("message"),
                time(said.text("lastProbeTime")),
                time(said.text("lastTransitionTime")));
    }

    private static Instant time(String text) {
        return text.isEmpty() ? Instant.EPOCH : Times.parse(text);
    }
}
