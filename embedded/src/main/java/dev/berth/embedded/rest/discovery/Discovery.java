package dev.berth.embedded.rest.discovery;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.rest.Answer;
import dev.berth.embedded.rest.ApiFailure;
import dev.berth.embedded.rest.ApiStatus;
import dev.berth.embedded.rest.Request;
import dev.berth.embedded.rest.kind.Catalog;
import dev.berth.embedded.rest.kind.Json;
import dev.berth.embedded.rest.kind.ServedKind;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Answers the paths by which clients find out what is served. */
public final class Discovery {

    private static final String AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

    private final Priorities priorities;

    public Discovery(Priorities priorities) {
        this.priorities = priorities;
    }

    /** The answer, where the path is one of discovery. */
    public Optional<Answer> handle(Catalog catalog, Request request) {
        String path = request.path().endsWith("/") && request.path().length() > 1
                ? request.path().substring(0, request.path().length() - 1)
                : request.path();
        List<String> parts = List.of(path.substring(1).split("/", -1));
        boolean core = parts.get(0).equals("api");
        if ((!core && !parts.get(0).equals("apis")) || parts.size() > (core ? 2 : 3)) {
            return Optional.empty();
        }
        if (!request.method().equals("GET")) {
            throw new ApiFailure(ApiStatus.methodNotAllowed());
        }
        if (parts.size() == 1) {
            return Optional.of(wantsAggregated(request) ? aggregated(catalog, core) : separate(catalog, core));
        }
        if (!core && parts.size() == 2) {
            return group(catalog, parts.get(1)).map(Discovery::alone);
        }
        return core ? resources(catalog, "", parts.get(1)) : resources(catalog, parts.get(1), parts.get(2));
    }

    private static boolean wantsAggregated(Request request) {
        for (String clause : request.header("accept").split(",", -1)) {
            if (clause.contains("as=APIGroupDiscoveryList")
                    && clause.contains("g=apidiscovery.k8s.io")
                    && (clause + ";").contains("v=v2;")) {
                return true;
            }
        }
        return false;
    }

    private Answer aggregated(Catalog catalog, boolean core) {
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        all.put("kind", "APIGroupDiscoveryList").put("apiVersion", "apidiscovery.k8s.io/v2");
        all.putObject("metadata");
        ArrayNode items = all.putArray("items");
        for (String group : core ? List.of("") : priorities.groupsAtOnce(catalog)) {
            ObjectNode item = items.addObject();
            ObjectNode metadata = item.putObject("metadata");
            if (!group.isEmpty()) {
                metadata.put("name", group);
            }
            metadata.putNull("creationTimestamp");
            ArrayNode versions = item.putArray("versions");
            Map<String, List<ServedKind>> kinds = catalog.versions(group);
            for (String version : priorities.versions(catalog, group)) {
                versions.add(ResourceDocuments.version(version, kinds.getOrDefault(version, List.of())));
            }
        }
        return Answer.bytes(200, AGGREGATED, Json.write(all));
    }

    private Answer separate(Catalog catalog, boolean core) {
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        if (core) {
            all.put("kind", "APIVersions");
            all.putArray("versions").add("v1");
            all.putArray("serverAddressByClientCIDRs");
            return Answer.json(200, all);
        }
        all.put("kind", "APIGroupList").put("apiVersion", "v1");
        ArrayNode groups = all.putArray("groups");
        for (String name : priorities.groups(catalog)) {
            group(catalog, name).ifPresent(groups::add);
        }
        return Answer.json(200, all);
    }

    private Optional<ObjectNode> group(Catalog catalog, String name) {
        List<String> versions = priorities.versions(catalog, name);
        if (name.isEmpty() || versions.isEmpty()) {
            return Optional.empty();
        }
        ObjectNode group = JsonNodeFactory.instance.objectNode();
        group.put("name", name);
        ArrayNode told = group.putArray("versions");
        versions.forEach(version ->
                told.addObject().put("groupVersion", name + "/" + version).put("version", version));
        group.set("preferredVersion", told.get(0));
        return Optional.of(group);
    }

    /** A group says what it is only where no list says it. */
    private static Answer alone(ObjectNode group) {
        ObjectNode typed = JsonNodeFactory.instance.objectNode();
        return Answer.json(
                200, typed.put("kind", "APIGroup").put("apiVersion", "v1").setAll(group));
    }

    private static Optional<Answer> resources(Catalog catalog, String group, String version) {
        List<ServedKind> kinds = catalog.versions(group).get(version);
        String name = group.isEmpty() ? version : group + "/" + version;
        return Optional.ofNullable(kinds).map(each -> Answer.json(200, ResourceDocuments.list(name, each)));
    }
}
