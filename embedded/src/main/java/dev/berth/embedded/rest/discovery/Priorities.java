package dev.berth.embedded.rest.discovery;

import static java.util.Map.entry;

import dev.berth.embedded.rest.kind.Catalog;
import dev.berth.embedded.store.ResourceId;
import dev.berth.embedded.store.Shelf;
import dev.berth.embedded.store.Store;
import dev.berth.embedded.store.Stored;
import dev.berth.embedded.tree.Trees;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Which group comes first where a short name means kinds of several groups. APIService objects say so; those that nobody
 * wrote stand at the priorities of the real server.
 */
public final class Priorities {

    /** Where APIService objects are stored. */
    public static final ResourceId SERVICES = new ResourceId("apiregistration.k8s.io", "apiservices");

    /** Of the group of a custom kind, unless an APIService says otherwise. */
    public static final long CUSTOM_GROUP = 1_000;

    /** Of each version of a custom kind; versions of equal priority are ordered by their names. */
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
            entry("certificates.k8s.io", 17_300L),
            entry("networking.k8s.io", 17_200L),
            entry("policy", 17_100L),
            entry("rbac.authorization.k8s.io", 17_000L),
            entry("storage.k8s.io", 16_800L),
            entry("admissionregistration.k8s.io", 16_700L),
            entry("apiextensions.k8s.io", 16_700L),
            entry("scheduling.k8s.io", 16_600L),
            entry("coordination.k8s.io", 16_500L),
            entry("node.k8s.io", 16_300L),
            entry("discovery.k8s.io", 16_200L),
            entry("resource.k8s.io", 16_200L));

    private final Shelf services;

    public Priorities(Store store) {
        this.services = store.shelf(SERVICES);
    }

    /** The groups of a catalog except the core group, best first. */
    List<String> groups(Catalog catalog) {
        List<Stored> written = services.snapshot().list("");
        return bestFirst(catalog, group -> ofGroup(written, group));
    }

    /** The same for who discovers everything at once: then the real server does not look at the APIServices of kinds. */
    List<String> groupsAtOnce(Catalog catalog) {
        return bestFirst(catalog, Priorities::builtInGroup);
    }

    private static List<String> bestFirst(Catalog catalog, ToLongFunction<String> priority) {
        return catalog.groups().stream()
                .filter(group -> !group.isEmpty())
                .sorted(Comparator.comparingLong((String group) -> -priority.applyAsLong(group))
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    /** The versions of a group, best first. */
    List<String> versions(Catalog catalog, String group) {
        List<Stored> written = services.snapshot().list("");
        List<String> versions = new ArrayList<>(catalog.versions(group).keySet());
        versions.sort(Comparator.comparingLong((String version) -> -ofVersion(written, group, version))
                .thenComparing(VersionOrder.BEST_FIRST));
        return versions;
    }

    /** The priority of a group nobody wrote about. */
    public static long builtInGroup(String group) {
        return BUILT_IN_GROUPS.getOrDefault(group, CUSTOM_GROUP);
    }

    /** The priority of a version nobody wrote about. */
    public static long builtInVersion(String group) {
        if (group.isEmpty()) {
            return 1;
        }
        return BUILT_IN_GROUPS.containsKey(group) ? BUILT_IN_VERSION : CUSTOM_VERSION;
    }

    private static long ofGroup(List<Stored> written, String group) {
        return written.stream()
                .filter(each -> Trees.text(each.tree(), "spec", "group").equals(group))
                .mapToLong(priority("groupPriorityMinimum"))
                .max()
                .orElseGet(() -> builtInGroup(group));
    }

    private static long ofVersion(List<Stored> written, String group, String version) {
        return written.stream()
                .filter(each -> Trees.text(each.tree(), "spec", "group").equals(group)
                        && Trees.text(each.tree(), "spec", "version").equals(version))
                .mapToLong(priority("versionPriority"))
                .max()
                .orElseGet(() -> builtInVersion(group));
    }

    private static ToLongFunction<Stored> priority(String field) {
        return each -> Trees.number(each.tree(), "spec", field);
    }
}
