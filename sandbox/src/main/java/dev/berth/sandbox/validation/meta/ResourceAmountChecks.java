package dev.berth.sandbox.validation.meta;

import dev.berth.sandbox.unstructured.StoredQuantity;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import java.util.List;
import java.util.Set;

/** Checks resource names and resource amounts. */
public final class ResourceAmountChecks {
    private static final Set<String> CONTAINER = Set.of("cpu", "memory", "ephemeral-storage");
    private static final Set<String> COUNTED = Set.of(
            "pods",
            "services",
            "replicationcontrollers",
            "resourcequotas",
            "secrets",
            "configmaps",
            "persistentvolumeclaims",
            "services.nodeports",
            "services.loadbalancers");
    private static final Set<String> QUOTA_AMOUNTS = Set.of(
            "cpu",
            "memory",
            "ephemeral-storage",
            "requests.cpu",
            "requests.memory",
            "requests.storage",
            "requests.ephemeral-storage",
            "limits.cpu",
            "limits.memory",
            "limits.ephemeral-storage");
    private static final String KUBERNETES = "kubernetes.io/";
    private static final String HUGE_PAGES = "hugepages-";

    private ResourceAmountChecks() {}

    /** Requires a standard resource name or one with a domain prefix. */
    public static void checkName(String name, FieldPath path, FieldErrorList errors) {
        List<String> messages = NameChecks.qualifiedName(name);
        errors.invalid(path, name, messages);
        if (messages.isEmpty() && !name.contains("/") && !isStandard(name)) {
            errors.invalid(path, name, "must be a standard resource type or fully qualified");
        }
    }

    /** Requires a resource name that containers may request. */
    public static void checkContainerName(String name, FieldPath path, FieldErrorList errors) {
        checkName(name, path, errors);
        if (!name.contains("/")) {
            if (!CONTAINER.contains(name) && !isHugePages(name)) {
                errors.invalid(path, name, "must be a standard resource for containers");
            }
        } else if (!isNative(name) && !isExtended(name)) {
            errors.invalid(path, name, "doesn't follow extended resource name standard");
        }
    }

    /** Requires a non-negative amount; a whole number for countable and extended resources. */
    public static void checkAmount(String name, StoredQuantity amount, FieldPath path, FieldErrorList errors) {
        checkNotNegative(amount, path, errors);
        boolean whole = COUNTED.contains(name) || isExtended(name);
        if (whole && !amount.isInteger()) {
            errors.invalid(path, amount.toString(), "must be an integer");
        }
    }

    public static void checkNotNegative(StoredQuantity amount, FieldPath path, FieldErrorList errors) {
        if (amount.signum() < 0) {
            errors.invalid(path, amount.toString(), "must be greater than or equal to 0");
        }
    }

    private static boolean isStandard(String name) {
        return isQuota(name) || name.equals("storage") || name.equals("object-count");
    }

    private static boolean isQuota(String name) {
        return QUOTA_AMOUNTS.contains(name)
                || COUNTED.contains(name)
                || isHugePages(name)
                || name.startsWith("requests." + HUGE_PAGES);
    }

    public static boolean isHugePages(String name) {
        return name.startsWith(HUGE_PAGES);
    }

    /** Whether the resource is native to Kubernetes. */
    public static boolean isNative(String name) {
        return !name.contains("/") || name.contains(KUBERNETES);
    }

    /** Whether the resource is an extended resource, for example a device. */
    public static boolean isExtended(String name) {
        return !isNative(name)
                && !name.startsWith("requests.")
                && NameChecks.qualifiedName("requests." + name).isEmpty();
    }

    /** Whether the request may be less than the limit. */
    public static boolean mayOvercommit(String name) {
        return isNative(name) && !isHugePages(name);
    }
}
