package dev.berth.sandbox.validation.pod.container;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.StoredQuantity;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.meta.ResourceAmountChecks;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks the resource requests and limits of containers and pods. */
public final class ResourceChecks {
    private static final List<String> POD_LEVEL = List.of("cpu", "hugepages-", "memory");

    private interface NameCheck {
        void check(String name, FieldPath path, FieldErrorList errors);
    }

    private ResourceChecks() {}

    static void container(JsonNode resources, FieldPath path, FieldErrorList errors) {
        requirements(resources, ResourceAmountChecks::checkContainerName, path, errors);
    }

    /** Checks the pod overhead. */
    public static void overhead(ObjectNode amounts, FieldPath path, FieldErrorList errors) {
        amounts(amounts, ResourceAmountChecks::checkContainerName, path.child("limits"), errors);
    }

    /** Checks the pod-level resources. */
    public static void pod(ObjectNode spec, FieldPath path, FieldErrorList errors) {
        JsonNode resources = at(spec, "resources");
        if (resources.isMissingNode()) {
            return;
        }
        if (has(resources, "claims")) {
            errors.forbidden(path.child("claims"), "claims may not be set for Resources at pod-level");
        }
        requirements(resources, ResourceChecks::podName, path, errors);
        Map<String, StoredQuantity> sum = new LinkedHashMap<>();
        for (ObjectNode container : objects(spec, "containers")) {
            read(at(container, "resources", "requests"))
                    .forEach((name, each) -> sum.merge(name, each, StoredQuantity::plus));
        }
        Map<String, StoredQuantity> requests = read(at(resources, "requests"));
        sum.forEach((name, needed) -> {
            StoredQuantity own = requests.get(name);
            if (own != null && needed.compareTo(own) > 0) {
                errors.invalid(
                        path.child("requests").key(name),
                        own.toString(),
                        "must be greater than or equal to aggregate container requests of " + needed);
            }
        });
        containerLimits(spec, read(at(resources, "limits")), path, errors);
    }

    private static void containerLimits(
            ObjectNode spec, Map<String, StoredQuantity> limits, FieldPath path, FieldErrorList errors) {
        path.child("containers")
                .forEachIndexed(
                        objects(spec, "containers"),
                        (container, here) -> read(at(container, "resources", "limits"))
                                .forEach((name, limit) -> {
                                    StoredQuantity most = limits.get(name);
                                    if (most != null && limit.compareTo(most) > 0) {
                                        errors.invalid(
                                                here.key(name).child("limits"),
                                                limit.toString(),
                                                "must be less than or equal to pod limits of " + most);
                                    }
                                }));
    }

    private static void podName(String name, FieldPath path, FieldErrorList errors) {
        int before = errors.size();
        ResourceAmountChecks.checkName(name, path, errors);
        boolean supported = name.equals("cpu") || name.equals("memory") || ResourceAmountChecks.isHugePages(name);
        if (errors.size() == before && !supported) {
            errors.notSupported(path, name, POD_LEVEL);
        }
    }

    private static void requirements(JsonNode resources, NameCheck names, FieldPath path, FieldErrorList errors) {
        FieldPath limitsPath = path.child("limits");
        FieldPath requestsPath = path.child("requests");
        Map<String, StoredQuantity> limits = amounts(at(resources, "limits"), names, limitsPath, errors);
        Map<String, StoredQuantity> requests = read(at(resources, "requests"));
        requests.forEach((name, request) -> {
            names.check(name, requestsPath.key(name), errors);
            ResourceAmountChecks.checkAmount(name, request, requestsPath.key(name), errors);
            StoredQuantity limit = limits.get(name);
            if (limit == null) {
                if (!ResourceAmountChecks.mayOvercommit(name)) {
                    errors.required(limitsPath, "Limit must be set for non overcommitable resources");
                }
            } else if (request.compareTo(limit) != 0 && !ResourceAmountChecks.mayOvercommit(name)) {
                errors.invalid(requestsPath, request.toString(), "must be equal to " + name + " limit of " + limit);
            } else if (request.compareTo(limit) > 0) {
                errors.invalid(
                        requestsPath,
                        request.toString(),
                        "must be less than or equal to " + name + " limit of " + limit);
            }
            pages(name, request, requestsPath.key(name), errors);
        });
        Set<String> all = new HashSet<>(limits.keySet());
        all.addAll(requests.keySet());
        boolean computes = all.contains("cpu") || all.contains("memory");
        if (!computes && all.stream().anyMatch(ResourceAmountChecks::isHugePages)) {
            errors.forbidden(path, "HugePages require cpu or memory");
        }
    }

    private static Map<String, StoredQuantity> amounts(
            JsonNode list, NameCheck names, FieldPath path, FieldErrorList errors) {
        Map<String, StoredQuantity> amounts = read(list);
        amounts.forEach((name, amount) -> {
            names.check(name, path.key(name), errors);
            ResourceAmountChecks.checkAmount(name, amount, path.key(name), errors);
            pages(name, amount, path.key(name), errors);
        });
        return amounts;
    }

    private static void pages(String name, StoredQuantity amount, FieldPath path, FieldErrorList errors) {
        if (!ResourceAmountChecks.isHugePages(name)) {
            return;
        }
        boolean whole = StoredQuantity.parseIfValid(name.substring("hugepages-".length()))
                .filter(page -> page.signum() > 0)
                .map(page -> amount.signum() >= 0
                        && amount.value().remainder(page.value()).signum() == 0)
                .orElse(false);
        if (!whole) {
            errors.invalid(path, amount.toString(), amount + " is not positive integer multiple of " + name);
        }
    }

    static Map<String, StoredQuantity> read(JsonNode list) {
        Map<String, StoredQuantity> amounts = new LinkedHashMap<>();
        list.properties()
                .forEach(entry ->
                        StoredQuantity.of(entry.getValue()).ifPresent(amount -> amounts.put(entry.getKey(), amount)));
        return amounts;
    }
}
