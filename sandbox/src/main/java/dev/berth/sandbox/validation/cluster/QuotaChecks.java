package dev.berth.sandbox.validation.cluster;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.SuffixedQuantity;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.meta.ResourceAmountChecks;
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

    public static void resourceQuota(ObjectNode quota, FieldErrorList errors) {
        at(quota, "spec", "hard").properties().forEach(entry -> {
            FieldPath path = FieldPath.of("spec", "hard").key(entry.getKey());
            ResourceAmountChecks.checkQuotaName(entry.getKey(), path, errors);
            SuffixedQuantity.of(entry.getValue())
                    .ifPresent(amount -> ResourceAmountChecks.checkAmount(entry.getKey(), amount, path, errors));
        });
    }

    public static void limitRange(ObjectNode range, FieldErrorList errors) {
        List<ObjectNode> limits = objects(range, "spec", "limits");
        Set<String> types = new HashSet<>();
        for (int i = 0; i < limits.size(); i++) {
            FieldPath path = FieldPath.of("spec", "limits").index(i);
            if (!types.add(text(limits.get(i), "type"))) {
                errors.duplicate(path.child("type"), text(limits.get(i), "type"));
            }
            limit(limits.get(i), path, errors);
        }
    }

    private static void limit(ObjectNode limit, FieldPath path, FieldErrorList errors) {
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
            checkAtMost(limit, name, List.of("min", "max", "min"), path, errors);
            checkAtMost(limit, name, List.of("min", "defaultRequest", "defaultRequest"), path, errors);
            checkAtMost(limit, name, List.of("defaultRequest", "max", "defaultRequest"), path, errors);
            checkAtMost(limit, name, List.of("min", "default", "default"), path, errors);
            checkAtMost(limit, name, List.of("default", "max", "default"), path, errors);
        }
    }

    /** The first list's amount is not above the second's; the third tells where the mistake stands. */
    private static void checkAtMost(
            ObjectNode limit, String name, List<String> lists, FieldPath path, FieldErrorList errors) {
        Optional<SuffixedQuantity> low = SuffixedQuantity.of(at(limit, lists.get(0), name));
        Optional<SuffixedQuantity> high = SuffixedQuantity.of(at(limit, lists.get(1), name));
        if (low.isPresent() && high.isPresent() && low.get().compareTo(high.get()) > 0) {
            SuffixedQuantity shown =
                    lists.get(2).equals(lists.get(1)) && lists.get(1).equals("defaultRequest")
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
