package dev.berth.embedded.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.embedded.client.object.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What an API server serves, in the preferred version of each group. */
public final class Discovery {
    private static final Logger LOG = LoggerFactory.getLogger(Discovery.class);

    private final ApiClient client;

    public Discovery(ApiClient client) {
        this.client = client;
    }

    /**
     * What was found.
     *
     * @param resources every served resource and its verbs, in the order of their paths
     * @param complete whether every group answered; one that did not may still hold objects
     */
    public record Catalogue(List<Served> resources, boolean complete) {
        public Catalogue {
            resources = List.copyOf(resources);
        }

        public List<Resource> supporting(String... verbs) {
            return resources.stream()
                    .filter(served -> served.verbs().containsAll(Set.of(verbs)))
                    .map(Served::resource)
                    .sorted()
                    .toList();
        }
    }

    /** A resource with the verbs it allows. */
    public record Served(Resource resource, Set<String> verbs) {
        public Served {
            verbs = Set.copyOf(verbs);
        }
    }

    public Catalogue read() {
        List<Served> found = new ArrayList<>(resources("", "v1"));
        boolean complete = true;
        for (JsonNode group : Json.at(client.read("/apis"), "groups")) {
            String name = Json.text(group, "name");
            try {
                found.addAll(resources(name, Json.text(group, "preferredVersion", "version")));
            } catch (ApiException e) {
                LOG.warn("API group ({}) does not tell what it serves: {}", name, e.getMessage());
                complete = false;
            }
        }
        return new Catalogue(found, complete);
    }

    private List<Served> resources(String group, String version) {
        String path = group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version;
        List<Served> found = new ArrayList<>();
        for (JsonNode each : Json.at(client.read(path), "resources")) {
            String plural = Json.text(each, "name");
            if (plural.indexOf('/') < 0) {
                Resource resource =
                        new Resource(group, version, plural, Json.text(each, "kind"), Json.flag(each, "namespaced"));
                Set<String> verbs = new TreeSet<>();
                each.path("verbs").forEach(verb -> verbs.add(verb.asText("")));
                found.add(new Served(resource, verbs));
            }
        }
        return found;
    }
}
