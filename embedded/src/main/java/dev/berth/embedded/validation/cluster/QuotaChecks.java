package dev.berth.embedded.validation.cluster;

import static dev.berth.embedded.tree.Trees.at;
import static dev.berth.embedded.tree.Trees.objects;
import static dev.berth.embedded.tree.Trees.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.tree.Quantity;
import dev.berth.embedded.validation.FieldErrors;
import dev.berth.embedded.validation.Path;
import dev.berth.embedded.validation.meta.Amounts;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Quotas and limit ranges. */
public final class QuotaChecks {
    private static final Map<String, String> WORDS = Map.of(
            "min",
            "min value",
            "max",
            "max value",
            "defaultRequest",
            "default request value",
            "default",
            "default value");

    private QuotaChecks() {}

    public static void resourceQuota(ObjectNode quota, FieldErrors errors) {
        at(quota, "spec", "hard").properties().forEach(entry -> {
            Path path = Path.of("spec", "hard").key(entry.getKey());
            Amounts.checkQuotaName(entry.getKey(), path, errors);
            Quantity.of(entry.getValue())
                    .ifPresent(amount -> Amounts.checkAmount(entry.getKey(), amount, path, errors));
        });
    }

    public static void limitRange(ObjectNode range, FieldErrors errors) {
        List<ObjectNode> limits = objects(range, "spec", "limits");
        Set<String> types = new HashSet<>();
        for (int i = 0; i < limits.size(); i++) {
            Path path = Path.of("spec", "limits").index(i);
            if (!types.add(text(limits.get(i), "type"))) {
                errors.duplicate(path.child("type"), text(limits.get(i), "type"));
            }
            limit(limits.get(i), path, errors);
        }
    }

    private static void limit(ObjectNode limit, Path path, FieldErrors errors) {
        Set<String> names = new TreeSet<>();
        for (String list : List.of("max", "min", "default", "defaultRequest", "maxLimitRequestRatio")) {
            boolean forbidden = text(limit, "type").equals("Pod") && list.startsWith("default");
            if (forbidden && !at(limit, list).isEmpty()) {
                errors.forbidden(path.child(list), "may not be specified when `type` is 'Pod'");
            } else {
                at(limit, list).fieldNames().forEachRemaining(names::add);
            }
        }
        for (String name : names) {
            atMost(limit, name, List.of("min", "max", "min"), path, errors);
            atMost(limit, name, List.of("min", "defaultRequest", "defaultRequest"), path, errors);
            atMost(limit, name, List.of("defaultRequest", "max", "defaultRequest"), path, errors);
            atMost(limit, name, List.of("min", "default", "default"), path, errors);
            atMost(limit, name, List.of("default", "max", "default"), path, errors);
        }
    }

    /** The first list's amount is not above the second's; the third tells where the mistake stands. */
    private static void atMost(ObjectNode limit, String name, List<String> lists, Path path, FieldErrors errors) {
        Optional<Quantity> low = Quantity.of(at(limit, lists.get(0), name));
        Optional<Quantity> high = Quantity.of(at(limit, lists.get(1), name));
        if (low.isPresent() && high.isPresent() && low.get().compareTo(high.get()) > 0) {
            Quantity shown = lists.get(2).equals(lists.get(1)) && lists.get(1).equals("defaultRequest")
                    ? high.get()
                    : lists.get(1).equals("max") && lists.get(0).equals("default") ? high.get() : low.get();
            errors.invalid(
                    path.child(lists.get(2)).key(name),
                    shown.toString(),
                    WORDS.get(lists.get(0)) + " " + low.get() + " is greater than " + WORDS.get(lists.get(1)) + " "
                            + high.get());
        }
    }
}
