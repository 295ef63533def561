package dev.berth.sandbox.endpoints.discovery;

import static java.util.Map.entry;

import dev.berth.sandbox.registry.ServedKinds;
import dev.berth.sandbox.storage.GroupResource;
import dev.berth.sandbox.storage.ResourceStorage;
import dev.berth.sandbox.storage.Store;
import dev.berth.sandbox.storage.StoredObject;
import dev.berth.sandbox.unstructured.NestedFields;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * The order of groups when a short name belongs to kinds of several groups. APIService objects define it; groups without
 * one have the priorities of the real server.
 */
public final class GroupPriorities {

    /** Where APIService objects are stored. */
    public static final GroupResource SERVICES = new GroupResource("apiregistration.k8s.io", "apiservices");

    /** The priority of the group of a custom kind, unless an APIService says otherwise. */
    public static final long CUSTOM_GROUP = 1_000;

    /** The priority of each version of a custom kind; versions of equal priority are ordered by name. */
    public static final long CUSTOM_VERSION = 100;

    private static final long BUILT_IN_VERSION = 15;
    private static final Map<String, Long> BUILT_IN_GROUPS = Map.ofEntries(
            entry("apiregistration.k8s.io", 20_000L),
            entry("", 18_000L),
            entry("apps", 17_800L),
            entry("events.k8s.io", 17_750L),
            entry("authentication.k8s.io", 17_700L),
            entry("authorization.k8s.io", 17_600L),
            entry("autoscaling", 17_500L),
            entry("batch", 17_400L),
            entry("policy", 17_100L),
            entry("rbac.authorization.k8s.io", 17_000L),
            entry("storage.k8s.io", 16_800L),
            entry("admissionregistration.k8s.io", 16_700L),
            entry("apiextensions.k8s.io", 16_700L),
            entry("scheduling.k8s.io", 16_600L),
            entry("coordination.k8s.io", 16_500L));

    private final ResourceStorage services;

    public GroupPriorities(Store store) {
        this.services = store.resource(SERVICES);
    }

    /** The groups except the core group, highest priority first. */
    List<String> sortedGroups(ServedKinds servedKinds) {
        List<StoredObject> apiServices = services.snapshot().list("");
        return sortByPriority(servedKinds, group -> groupPriority(apiServices, group));
    }

    /** The same for aggregated discovery, for which the real server ignores the APIServices of custom kinds. */
    List<String> sortedAggregatedGroups(ServedKinds servedKinds) {
        return sortByPriority(servedKinds, GroupPriorities::defaultGroupPriority);
    }

    private static List<String> sortByPriority(ServedKinds servedKinds, ToLongFunction<String> priority) {
        return servedKinds.groups().stream()
                .filter(group -> !group.isEmpty())
                .sorted(Comparator.comparingLong((String group) -> -priority.applyAsLong(group))
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    /** The versions of a group, highest priority first. */
    List<String> sortedVersions(ServedKinds servedKinds, String group) {
        List<StoredObject> apiServices = services.snapshot().list("");
        List<String> versions = new ArrayList<>(servedKinds.versions(group).keySet());
        versions.sort(Comparator.comparingLong((String version) -> -versionPriority(apiServices, group, version))
                .thenComparing(KubeAwareVersionOrder.DESCENDING));
        return versions;
    }

    /** The priority of a group without an APIService. */
    public static long defaultGroupPriority(String group) {
        return BUILT_IN_GROUPS.getOrDefault(group, CUSTOM_GROUP);
    }

    /** The priority of a version without an APIService. */
    public static long defaultVersionPriority(String group) {
        if (group.isEmpty()) {
            return 1;
        }
        return BUILT_IN_GROUPS.containsKey(group) ? BUILT_IN_VERSION : CUSTOM_VERSION;
    }

    private static long groupPriority(List<StoredObject> apiServices, String group) {
        return apiServices.stream()
                .filter(each -> NestedFields.text(each.tree(), "spec", "group").equals(group))
                .mapToLong(priority("groupPriorityMinimum"))
                .max()
                .orElseGet(() -> defaultGroupPriority(group));
    }

    private static long versionPriority(List<StoredObject> apiServices, String group, String version) {
        return apiServices.stream()
                .filter(each -> NestedFields.text(each.tree(), "spec", "group").equals(group)
                        && NestedFields.text(each.tree(), "spec", "version").equals(version))
                .mapToLong(priority("versionPriority"))
                .max()
                .orElseGet(() -> defaultVersionPriority(group));
    }

    private static ToLongFunction<StoredObject> priority(String field) {
        return each -> NestedFields.number(each.tree(), "spec", field);
    }
}
