package dev.berth.sandbox.endpoints.discovery;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.apierrors.ApiStatus;
import dev.berth.sandbox.apierrors.ApiStatusException;
import dev.berth.sandbox.endpoints.BodyResponse;
import dev.berth.sandbox.endpoints.RestRequest;
import dev.berth.sandbox.registry.ServedKind;
import dev.berth.sandbox.registry.ServedKinds;
import dev.berth.sandbox.unstructured.JsonText;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Serves discovery: API groups, versions and resources. */
public final class DiscoveryHandler {

    private static final String AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

    private final GroupPriorities priorities;

    public DiscoveryHandler(GroupPriorities priorities) {
        this.priorities = priorities;
    }

    /** The response, if the path belongs to discovery. */
    public Optional<BodyResponse> handle(ServedKinds servedKinds, RestRequest request) {
        String path = request.path().endsWith("/") && request.path().length() > 1
                ? request.path().substring(0, request.path().length() - 1)
                : request.path();
        List<String> parts = List.of(path.substring(1).split("/", -1));
        boolean core = parts.get(0).equals("api");
        if ((!core && !parts.get(0).equals("apis")) || parts.size() > (core ? 2 : 3)) {
            return Optional.empty();
        }
        if (!request.method().equals("GET")) {
            throw new ApiStatusException(ApiStatus.methodNotAllowed());
        }
        if (parts.size() == 1) {
            return Optional.of(
                    wantsAggregated(request) ? aggregated(servedKinds, core) : unaggregated(servedKinds, core));
        }
        if (!core && parts.size() == 2) {
            return group(servedKinds, parts.get(1)).map(DiscoveryHandler::standaloneGroup);
        }
        return core ? resources(servedKinds, "", parts.get(1)) : resources(servedKinds, parts.get(1), parts.get(2));
    }

    private static boolean wantsAggregated(RestRequest request) {
        for (String clause : request.header("accept").split(",", -1)) {
            if (clause.contains("as=APIGroupDiscoveryList")
                    && clause.contains("g=apidiscovery.k8s.io")
                    && (clause + ";").contains("v=v2;")) {
                return true;
            }
        }
        return false;
    }

    private BodyResponse aggregated(ServedKinds servedKinds, boolean core) {
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        all.put("kind", "APIGroupDiscoveryList").put("apiVersion", "apidiscovery.k8s.io/v2");
        all.putObject("metadata");
        ArrayNode items = all.putArray("items");
        for (String group : core ? List.of("") : priorities.sortedAggregatedGroups(servedKinds)) {
            ObjectNode item = items.addObject();
            ObjectNode metadata = item.putObject("metadata");
            if (!group.isEmpty()) {
                metadata.put("name", group);
            }
            metadata.putNull("creationTimestamp");
            ArrayNode versions = item.putArray("versions");
            Map<String, List<ServedKind>> kinds = servedKinds.versions(group);
            for (String version : priorities.sortedVersions(servedKinds, group)) {
                versions.add(ApiResourceLists.version(version, kinds.getOrDefault(version, List.of())));
            }
        }
        return BodyResponse.bytes(200, AGGREGATED, JsonText.write(all));
    }

    private BodyResponse unaggregated(ServedKinds servedKinds, boolean core) {
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        if (core) {
            all.put("kind", "APIVersions");
            all.putArray("versions").add("v1");
            all.putArray("serverAddressByClientCIDRs");
            return BodyResponse.json(200, all);
        }
        all.put("kind", "APIGroupList").put("apiVersion", "v1");
        ArrayNode groups = all.putArray("groups");
        for (String name : priorities.sortedGroups(servedKinds)) {
            group(servedKinds, name).ifPresent(groups::add);
        }
        return BodyResponse.json(200, all);
    }

    private Optional<ObjectNode> group(ServedKinds servedKinds, String name) {
        List<String> versions = priorities.sortedVersions(servedKinds, name);
        if (name.isEmpty() || versions.isEmpty()) {
            return Optional.empty();
        }
        ObjectNode group = JsonNodeFactory.instance.objectNode();
        group.put("name", name);
        ArrayNode versionArray = group.putArray("versions");
        versions.forEach(version -> versionArray
                .addObject()
                .put("groupVersion", name + "/" + version)
                .put("version", version));
        group.set("preferredVersion", versionArray.get(0));
        return Optional.of(group);
    }

    /** A group has its kind only outside of a list. */
    private static BodyResponse standaloneGroup(ObjectNode group) {
        ObjectNode typed = JsonNodeFactory.instance.objectNode();
        return BodyResponse.json(
                200, typed.put("kind", "APIGroup").put("apiVersion", "v1").setAll(group));
    }

    private static Optional<BodyResponse> resources(ServedKinds servedKinds, String group, String version) {
        List<ServedKind> kinds = servedKinds.versions(group).get(version);
        String name = group.isEmpty() ? version : group + "/" + version;
        return Optional.ofNullable(kinds).map(each -> BodyResponse.json(200, ApiResourceLists.list(name, each)));
    }
}
