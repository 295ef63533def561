package dev.berth.sandbox.registry;

import dev.berth.sandbox.apiextensions.CustomKind;
import dev.berth.sandbox.schema.GroupVersionKind;
import dev.berth.sandbox.schema.GroupVersionResource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The kinds served at one moment. Immutable: a new custom kind leads to a new instance. */
public final class ServedKinds {

    private final List<ServedKind> kinds;
    private final List<CustomKind> customKinds;
    private final Map<GroupVersionResource, ServedKind> byResource = new HashMap<>();
    private final Map<String, Map<String, List<ServedKind>>> byGroup = new LinkedHashMap<>();

    public ServedKinds(List<ServedKind> kinds, List<CustomKind> customKinds) {
        this.kinds = List.copyOf(kinds);
        this.customKinds = List.copyOf(customKinds);
        for (ServedKind kind : kinds) {
            GroupVersionKind gvk = kind.gvk();
            byResource.put(
                    new GroupVersionResource(
                            gvk.group(), gvk.version(), kind.names().plural()),
                    kind);
            byGroup.computeIfAbsent(gvk.group(), group -> new LinkedHashMap<>())
                    .computeIfAbsent(gvk.version(), version -> new ArrayList<>())
                    .add(kind);
        }
    }

    public List<ServedKind> kinds() {
        return kinds;
    }

    /** The custom kinds among them, as they were defined. */
    public List<CustomKind> customKinds() {
        return customKinds;
    }

    public Optional<ServedKind> find(String group, String version, String plural) {
        return version.isEmpty() || plural.isEmpty()
                ? Optional.empty()
                : Optional.ofNullable(byResource.get(new GroupVersionResource(group, version, plural)));
    }

    /** The versions of a group with their kinds, in the order they were given; empty for an unknown group. */
    public Map<String, List<ServedKind>> versions(String group) {
        return Collections.unmodifiableMap(byGroup.getOrDefault(group, Map.of()));
    }

    /** The groups in the order they were given; the core group is the empty text. */
    public List<String> groups() {
        return List.copyOf(byGroup.keySet());
    }
}
