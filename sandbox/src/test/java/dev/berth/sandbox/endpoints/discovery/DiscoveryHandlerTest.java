package dev.berth.sandbox.endpoints.discovery;

import static dev.berth.sandbox.InProcessServer.ok;
import static dev.berth.sandbox.InProcessServer.refused;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.sandbox.InProcessServer;
import dev.berth.sandbox.endpoints.BodyResponse;
import dev.berth.sandbox.endpoints.RestRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DiscoveryHandlerTest {

    private static final String AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

    private final InProcessServer api = new InProcessServer();

    @Test
    void aggregatedDiscoveryListsEverything() throws IOException {
        BodyResponse bodyResponse =
                api.send(RestRequest.of("GET", "/apis").withAccept(AGGREGATED + ",application/json"));

        assertThat(bodyResponse.contentType()).isEqualTo(AGGREGATED);
        JsonNode all = new ObjectMapper().readTree(bodyResponse.body());
        assertThat(all.path("kind").asText()).isEqualTo("APIGroupDiscoveryList");
        List<String> groups = new ArrayList<>();
        all.path("items").forEach(each -> groups.add(each.at("/metadata/name").asText()));
        assertThat(groups)
                .startsWith("apiregistration.k8s.io", "apps", "events.k8s.io")
                .contains("policy");
        JsonNode deployments = all.at("/items/1/versions/0/resources/2");
        assertThat(deployments.path("resource").asText()).isEqualTo("deployments");
        assertThat(deployments.path("scope").asText()).isEqualTo("Namespaced");
        assertThat(deployments.at("/subresources/0/responseKind/kind").asText()).isEqualTo("Scale");
    }

    @Test
    void groupsAndResourcesAreListedSeparately() {
        assertThat(ok(api.get("/api")).at("/versions/0").asText()).isEqualTo("v1");
        assertThat(ok(api.get("/apis")).path("kind").asText()).isEqualTo("APIGroupList");
        assertThat(ok(api.get("/apis/apps"))
                        .at("/preferredVersion/groupVersion")
                        .asText())
                .isEqualTo("apps/v1");
        JsonNode resources = ok(api.get("/api/v1")).path("resources");
        List<String> names = new ArrayList<>();
        resources.forEach(each -> names.add(each.path("name").asText()));
        assertThat(names).contains("pods", "pods/binding", "pods/eviction", "nodes", "bindings");
        assertThat(ok(api.get("/apis/apps/v1")).path("groupVersion").asText()).isEqualTo("apps/v1");
        refused(404, api.get("/apis/nobody.example.com/v1"));
    }

    @Test
    void theVersionIdentifiesTheSandbox() {
        assertThat(ok(api.get("/version")).path("gitVersion").asText()).isEqualTo("v1.36.4+berth-embedded");
    }

    @Test
    void anUnknownPathIsNotFound() {
        BodyResponse bodyResponse = api.get("/nothing/here");

        assertThat(bodyResponse.code()).isEqualTo(404);
        assertThat(new String(bodyResponse.body(), StandardCharsets.UTF_8)).isEqualTo("404 page not found\n");
    }

    @Test
    void versionsAreOrderedByAgeAndStability() {
        List<String> versions = new ArrayList<>(
                List.of("foo1", "v3alpha1", "v1", "v10beta3", "v10", "v2", "v11beta2", "v11alpha2", "foo10"));
        versions.sort(KubeAwareVersionOrder.DESCENDING);

        assertThat(versions)
                .containsExactly("v10", "v2", "v1", "v11beta2", "v10beta3", "v11alpha2", "v3alpha1", "foo1", "foo10");
    }
}
