package dev.berth.sandbox.endpoints.handlers;

import static dev.berth.sandbox.InProcessServer.message;
import static dev.berth.sandbox.InProcessServer.ok;
import static dev.berth.sandbox.InProcessServer.pod;
import static dev.berth.sandbox.InProcessServer.refused;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.InProcessServer;
import dev.berth.sandbox.endpoints.BodyResponse;
import dev.berth.sandbox.endpoints.RestRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CreateAndReadTest {

    private static final String PODS = "/api/v1/namespaces/default/pods";

    private final InProcessServer api = new InProcessServer();

    @Test
    void aCreatedObjectHasIdentityTimeAndVersion() {
        ObjectNode pod = api.createPod("web");

        JsonNode metadata = pod.path("metadata");
        assertThat(metadata.path("uid").asText()).matches("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-.*");
        assertThat(metadata.path("creationTimestamp").asText()).isEqualTo("2026-11-15T12:00:00Z");
        assertThat(metadata.path("namespace").asText()).isEqualTo("default");
        assertThat(metadata.path("resourceVersion").asLong()).isPositive();
        assertThat(ok(api.get(PODS + "/web"))).isEqualTo(pod);
    }

    @Test
    void serversWithEqualSeedsGiveEqualHistories() {
        assertThat(new InProcessServer().createPod("web")).isEqualTo(api.createPod("web"));
    }

    @Test
    void anExistingNameIsRejected() {
        api.createPod("web");

        JsonNode status = refused(409, api.post(PODS, pod("web")));

        assertThat(status.path("reason").asText()).isEqualTo("AlreadyExists");
        assertThat(message(status)).isEqualTo("pods \"web\" already exists");
        assertThat(status.path("details").path("kind").asText()).isEqualTo("pods");
    }

    @Test
    void aNameIsGeneratedFromGenerateName() {
        String body = pod("x").replace("name: x,", "generateName: web-,");

        String first = ok(api.post(PODS, body)).path("metadata").path("name").asText();
        String second = ok(api.post(PODS, body)).path("metadata").path("name").asText();

        assertThat(first).matches("web-[bcdfghjklmnpqrstvwxz2456789]{5}");
        assertThat(second).isNotEqualTo(first);
    }

    @Test
    void aDryRunLeavesNothingBehind() {
        ObjectNode shown = ok(api.post(PODS + "?dryRun=All", pod("web")));

        assertThat(shown.path("metadata").path("uid").asText()).isNotEmpty();
        refused(404, api.get(PODS + "/web"));
    }

    @Test
    void aMisspeltFieldIsNamed() {
        String misspelt = pod("web") + "spec: {nodeNam: n1, containers: [{name: main, image: nginx}]}\n";
        String body = misspelt.replaceFirst("spec: \\{containers.*\\n", "");

        JsonNode status = refused(400, api.post(PODS + "?fieldValidation=Strict", body));
        assertThat(message(status))
                .isEqualTo("Pod in version \"v1\" cannot be handled as a Pod: strict decoding error: unknown field"
                        + " \"spec.nodeNam\"");

        BodyResponse warned = api.post(PODS, body);
        assertThat(warned.warnings()).containsExactly("unknown field \"spec.nodeNam\"");
        assertThat(ok(warned).path("spec").has("nodeNam")).isFalse();
    }

    @Test
    void anObjectOfAnotherNamespaceIsRefused() {
        String body = pod("web").replace("name: web,", "name: web, namespace: other,");

        assertThat(message(refused(400, api.post(PODS, body))))
                .isEqualTo("the namespace of the provided object does not match the namespace sent on the request");
    }

    @Test
    void anObjectOrResourceThatDoesNotExistIsNotFound() {
        JsonNode status = refused(404, api.get(PODS + "/nobody"));
        assertThat(message(status)).isEqualTo("pods \"nobody\" not found");

        assertThat(message(refused(404, api.get("/api/v1/unicorns"))))
                .isEqualTo("the server could not find the requested resource");
    }

    @Test
    void listsAreSortedByNamespaceAndName() {
        ok(api.post("/api/v1/namespaces/kube-system/pods", pod("a")));
        api.createPod("b");
        api.createPod("a");

        ObjectNode all = ok(api.get("/api/v1/pods"));

        assertThat(all.path("kind").asText()).isEqualTo("PodList");
        assertThat(names(all)).containsExactly("a", "b", "a");
        assertThat(names(ok(api.get(PODS)))).containsExactly("a", "b");
        assertThat(all.path("metadata").path("resourceVersion").asText())
                .isEqualTo(ok(api.get(PODS + "/a"))
                        .path("metadata")
                        .path("resourceVersion")
                        .asText());
    }

    @Test
    void aPagedListIsConsistentAtOneRevision() {
        for (int i = 0; i < 5; i++) {
            api.createPod("p" + i);
        }
        ObjectNode first = ok(api.get(PODS + "?limit=2"));
        api.createPod("p1b");
        ok(api.delete(PODS + "/p4"));

        String token = first.path("metadata").path("continue").asText();
        assertThat(first.path("metadata").path("remainingItemCount").asInt()).isEqualTo(3);
        ObjectNode second = ok(api.get(PODS + "?limit=2&continue=" + token));
        ObjectNode third = ok(api.get(PODS + "?limit=2&continue="
                + second.path("metadata").path("continue").asText()));

        List<String> all = new ArrayList<>(names(first));
        all.addAll(names(second));
        all.addAll(names(third));
        assertThat(all).containsExactly("p0", "p1", "p2", "p3", "p4");
        assertThat(third.path("metadata").has("continue")).isFalse();
        assertThat(third.path("metadata").path("resourceVersion"))
                .isEqualTo(first.path("metadata").path("resourceVersion"));
    }

    @Test
    void aContinuationThatIsTooOldOffersAnInconsistentOne() {
        InProcessServer forgetful = new InProcessServer(2);
        for (int i = 0; i < 3; i++) {
            forgetful.createPod("p" + i);
        }
        ObjectNode first = ok(forgetful.get(PODS + "?limit=1"));
        for (int i = 3; i < 7; i++) {
            forgetful.createPod("p" + i);
        }

        ObjectNode status = refused(
                410,
                forgetful.get(PODS + "?continue="
                        + first.path("metadata").path("continue").asText()));

        assertThat(status.path("reason").asText()).isEqualTo("Expired");
        String offered = status.path("metadata").path("continue").asText();
        assertThat(names(ok(forgetful.get(PODS + "?continue=" + offered))))
                .containsExactly("p1", "p2", "p3", "p4", "p5", "p6");
    }

    @Test
    void aListAtAnExactVersionShowsThePast() {
        ObjectNode a = api.createPod("a");
        api.createPod("b");
        String version = a.path("metadata").path("resourceVersion").asText();

        assertThat(names(ok(api.get(PODS + "?resourceVersion=" + version + "&resourceVersionMatch=Exact"))))
                .containsExactly("a");
        assertThat(names(ok(api.get(PODS + "?resourceVersion=" + version + "&resourceVersionMatch=NotOlderThan"))))
                .containsExactly("a", "b");
        assertThat(names(ok(api.get(PODS + "?resourceVersion=0")))).containsExactly("a", "b");
    }

    @Test
    void aFutureResourceVersionTimesOut() {
        assertThat(message(refused(504, api.get(PODS + "?resourceVersion=999999"))))
                .startsWith("Timeout: Too large resource version: 999999, current: ");
    }

    @Test
    void invalidListOptionsAreNamed() {
        assertThat(message(refused(422, api.get(PODS + "?resourceVersionMatch=Exact"))))
                .contains("resourceVersionMatch is forbidden unless resourceVersion is provided");
        assertThat(message(refused(400, api.get(PODS + "?resourceVersion=abc"))))
                .startsWith("invalid resource version");
        assertThat(message(refused(400, api.get(PODS + "?continue=abc")))).startsWith("invalid continue token");
        assertThat(message(refused(400, api.get(PODS + "?limit=many"))))
                .isEqualTo("limit (many) is not a whole number");
    }

    @Test
    void labelsAndFieldsSelect() {
        api.createPod("a");
        api.createPod("b");
        ok(api.bind("b", "n1"));

        assertThat(names(ok(api.get(PODS + "?labelSelector=app%3Da")))).containsExactly("a");
        assertThat(names(ok(api.get(PODS + "?labelSelector=app+in+(a,c)")))).containsExactly("a");
        assertThat(names(ok(api.get(PODS + "?labelSelector=!missing,app!%3Da"))))
                .containsExactly("b");
        assertThat(names(ok(api.get(PODS + "?fieldSelector=spec.nodeName%3Dn1"))))
                .containsExactly("b");
        assertThat(names(ok(api.get(PODS + "?fieldSelector=spec.nodeName%3D")))).containsExactly("a");
        assertThat(names(ok(api.get("/api/v1/pods?fieldSelector=metadata.namespace!%3Ddefault"))))
                .isEmpty();
        assertThat(message(refused(400, api.get(PODS + "?fieldSelector=spec.color%3Dred"))))
                .isEqualTo("field label not supported: spec.color");
        assertThat(message(refused(400, api.get("/api/v1/configmaps?fieldSelector=data.x%3D1"))))
                .isEqualTo("\"data.x\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\"");
        assertThat(message(refused(400, api.get(PODS + "?labelSelector=a+in+b"))))
                .isEqualTo("unable to parse requirement: found 'b' expected: '('");
    }

    @Test
    void anUnknownHttpMethodIsNotAllowed() {
        refused(405, api.send(RestRequest.of("POST", "/api/v1/pods")));
        refused(405, api.send(RestRequest.of("TRACE", PODS + "/web")));
    }

    @Test
    void anUnknownMediaTypeIsRejectedInRequestAndResponse() {
        refused(415, api.send(RestRequest.of("POST", PODS).withBody("text/csv", new byte[] {'a'})));
        refused(406, api.send(RestRequest.of("GET", PODS).withAccept("text/csv")));
    }

    private static List<String> names(JsonNode list) {
        List<String> names = new ArrayList<>();
        list.path("items")
                .forEach(each -> names.add(each.path("metadata").path("name").asText()));
        return names;
    }
}
