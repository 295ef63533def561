package dev.berth.sandbox.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.sandbox.unstructured.NestedFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What an API server serves, in the preferred version of each group. */
public final class DiscoveryClient {
    private static final Logger LOG = LoggerFactory.getLogger(DiscoveryClient.class);

    private final DynamicClient client;

    public DiscoveryClient(DynamicClient client) {
        this.client = client;
    }

    /**
     * What was found.
     *
     * @param resources every served resource and its verbs, in the order of their paths
     * @param complete whether every group answered; one that did not may still hold objects
     */
    public record ServerResources(List<DiscoveredResource> resources, boolean complete) {
        public ServerResources {
            resources = List.copyOf(resources);
        }

        public List<RestMapping> withVerbs(String... verbs) {
            return resources.stream()
                    .filter(discoveredResource -> discoveredResource.verbs().containsAll(Set.of(verbs)))
                    .map(DiscoveredResource::restMapping)
                    .sorted()
                    .toList();
        }
    }

    /** A resource with the verbs it allows. */
    public record DiscoveredResource(RestMapping restMapping, Set<String> verbs) {
        public DiscoveredResource {
            verbs = Set.copyOf(verbs);
        }
    }

    public ServerResources discover() {
        List<DiscoveredResource> found = new ArrayList<>(resources("", "v1"));
        boolean complete = true;
        for (JsonNode group : NestedFields.at(client.getPath("/apis"), "groups")) {
            String name = NestedFields.text(group, "name");
            try {
                found.addAll(resources(name, NestedFields.text(group, "preferredVersion", "version")));
            } catch (ApiException e) {
                LOG.warn("API group ({}) does not tell what it serves: {}", name, e.getMessage());
                complete = false;
            }
        }
        return new ServerResources(found, complete);
    }

    private List<DiscoveredResource> resources(String group, String version) {
        String path = group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version;
        List<DiscoveredResource> found = new ArrayList<>();
        for (JsonNode each : NestedFields.at(client.getPath(path), "resources")) {
            String plural = NestedFields.text(each, "name");
            if (plural.indexOf('/') < 0) {
                RestMapping restMapping = new RestMapping(
                        group, version, plural, NestedFields.text(each, "kind"), NestedFields.flag(each, "namespaced"));
                Set<String> verbs = new TreeSet<>();
                each.path("verbs").forEach(verb -> verbs.add(verb.asText("")));
                found.add(new DiscoveredResource(restMapping, verbs));
            }
        }
        return found;
    }
}
