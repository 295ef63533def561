package dev.berth.sandbox.admission.webhook;

import static dev.berth.sandbox.InProcessServer.message;
import static dev.berth.sandbox.InProcessServer.ok;
import static dev.berth.sandbox.InProcessServer.pod;
import static dev.berth.sandbox.InProcessServer.refused;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.InProcessServer;
import dev.berth.sandbox.endpoints.BodyResponse;
import dev.berth.sandbox.endpoints.RestRequest;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class WebhookAdmissionTest {

    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String GROUP = "/apis/admissionregistration.k8s.io/v1/";

    private final List<String> asked = new ArrayList<>();
    private final List<JsonNode> requests = new ArrayList<>();
    private final Map<String, UnaryOperator<ObjectNode>> answers = new HashMap<>();
    private final InProcessServer api = new InProcessServer(this::answer);

    @Test
    void aDenialCarriesTheWebhooksMessage() {
        validate("guard", "pods", "");
        answers.put("guard", response -> deny(response, 403, "no room"));

        JsonNode status = refused(403, api.post(PODS, pod("a")));

        assertThat(message(status)).isEqualTo("admission webhook \"guard.example.com\" denied the request: no room");
        refused(404, api.get(PODS + "/a"));
    }

    @Test
    void aDenialWithoutMessageIsABadRequest() {
        validate("guard", "pods", "");
        answers.put("guard", response -> response.put("allowed", false));

        assertThat(message(refused(400, api.post(PODS, pod("a")))))
                .isEqualTo("admission webhook \"guard.example.com\" denied the request without explanation");
    }

    @Test
    void aBindingIsSentToWebhooksForTheBindingSubresource() {
        validate("guard", "pods/binding", "");
        api.createPod("a");
        assertThat(asked).isEmpty();

        ok(api.bind("a", "n1"));

        JsonNode request = requests.get(0);
        assertThat(request.at("/kind/kind").asText()).isEqualTo("Binding");
        assertThat(request.at("/resource/resource").asText()).isEqualTo("pods");
        assertThat(request.path("subResource").asText()).isEqualTo("binding");
        assertThat(request.path("operation").asText()).isEqualTo("CREATE");
        assertThat(request.path("name").asText()).isEqualTo("a");
        assertThat(request.at("/object/target/name").asText()).isEqualTo("n1");
        assertThat(request.at("/userInfo/username").asText()).isEqualTo("system:apiserver");
    }

    @Test
    void anAnnotationAddedToABindingReachesThePod() {
        mutate("record", "pods/binding", "");
        answers.put(
                "record",
                response -> patch(
                        response,
                        "[{\"op\":\"add\",\"path\":\"/metadata/annotations\",\"value\":{\"berth/hold\":\"h1\"}}]"));
        api.createPod("a");

        ok(api.bind("a", "n1"));

        assertThat(ObjectMetaReader.annotations(ok(api.get(PODS + "/a")))).containsEntry("berth/hold", "h1");
    }

    @Test
    void aMutationIsDefaultedAndSentToTheNextWebhook() {
        mutate("one", "pods", "");
        mutate("two", "pods", "");
        validate("guard", "pods", "");
        answers.put(
                "one",
                response -> patch(
                        response,
                        "[{\"op\":\"add\",\"path\":\"/spec/containers/-\",\"value\":{\"name\":\"side\",\"image\":\"x\"}}]"));

        ObjectNode created = api.createPod("a");

        assertThat(asked).containsExactly("one", "two", "guard");
        assertThat(created.at("/spec/containers/1/imagePullPolicy").asText()).isEqualTo("Always");
        assertThat(requests.get(1).at("/object/spec/containers")).hasSize(2);
        assertThat(requests.get(2).at("/object/metadata/uid").asText()).isEqualTo(ObjectMetaReader.uid(created));
    }

    @Test
    void aWebhookWithReinvocationIsCalledAgainAfterALaterMutation() {
        mutate("one", "pods", "reinvocationPolicy: IfNeeded");
        mutate("two", "pods", "reinvocationPolicy: IfNeeded");
        answers.put(
                "two",
                response ->
                        patch(response, "[{\"op\":\"add\",\"path\":\"/metadata/labels/two\",\"value\":\"was-here\"}]"));

        api.createPod("a");

        assertThat(asked).containsExactly("one", "two", "one");
    }

    @Test
    void aDeletionIsSentWithTheOldObject() {
        validate("guard", "pods", "");
        api.createPod("a");
        requests.clear();

        ok(api.delete(PODS + "/a"));

        assertThat(requests).hasSize(1);
        assertThat(requests.get(0).path("operation").asText()).isEqualTo("DELETE");
        assertThat(requests.get(0).path("object").isNull()).isTrue();
        assertThat(requests.get(0).at("/oldObject/metadata/name").asText()).isEqualTo("a");
    }

    @Test
    void anUpdateIsSentWithOldAndNewObject() {
        validate("guard", "pods", "");
        api.createPod("a");
        requests.clear();

        ok(api.patch(PODS + "/a", "merge-patch+json", "{\"metadata\":{\"labels\":{\"x\":\"y\"}}}"));

        assertThat(requests.get(0).path("operation").asText()).isEqualTo("UPDATE");
        assertThat(requests.get(0).at("/object/metadata/labels/x").asText()).isEqualTo("y");
        assertThat(requests.get(0).at("/oldObject/metadata/labels").has("x")).isFalse();
    }

    @Test
    void selectorsDecideWhichObjectsAreSent() {
        validate("byLabel", "pods", "objectSelector: {matchLabels: {app: a}}");
        validate("bySpace", "pods", "namespaceSelector: {matchLabels: {team: x}}");
        ok(api.post("/api/v1/namespaces", "metadata: {name: x, labels: {team: x}}"));

        api.createPod("a");
        api.createPod("b");
        ok(api.post("/api/v1/namespaces/x/pods", pod("c")));

        assertThat(asked).containsExactly("bylabel", "byspace");
    }

    @Test
    void aFailingWebhookRejectsTheWriteUnlessItsPolicyIsIgnore() {
        validate("guard", "pods", "");
        assertThat(message(refused(500, failing(() -> api.post(PODS, pod("a"))))))
                .isEqualTo("Internal error occurred: failed calling webhook \"guard.example.com\": failed to call"
                        + " webhook: connection refused");

        ok(api.patch(
                GROUP + "validatingwebhookconfigurations/guard",
                "merge-patch+json",
                withFailurePolicyIgnore("guard", "pods")));
        ok(failing(() -> api.post(PODS, pod("a"))));
    }

    @Test
    void aDryRunIsMarkedInTheReview() {
        validate("guard", "pods", "");

        ok(api.post(PODS + "?dryRun=All", pod("a")));

        assertThat(requests.get(0).path("dryRun").asBoolean()).isTrue();
    }

    @Test
    void warningsOfWebhooksReachTheClient() {
        validate("guard", "pods", "");
        answers.put("guard", response -> {
            response.putArray("warnings").add("mind the gap");
            return response;
        });

        BodyResponse bodyResponse = api.post(PODS, pod("a"));

        assertThat(bodyResponse.warnings()).containsExactly("mind the gap");
    }

    @Test
    void anUnsupportedWebhookConfigurationIsRejected() {
        assertThat(message(refused(
                        422,
                        api.post(
                                GROUP + "validatingwebhookconfigurations",
                                configuration("guard", "pods", "matchConditions: [{name: a, expression: 'true'}]")))))
                .contains("webhooks[0].matchConditions: Forbidden: this server does not evaluate CEL expressions");
        assertThat(message(refused(
                        422,
                        api.post(
                                GROUP + "validatingwebhookconfigurations",
                                configuration("guard", "pods", "")
                                        .replace(
                                                "url: 'https://127.0.0.1:1/guard'",
                                                "service: {name: s, namespace: default}")))))
                .contains("webhooks[0].clientConfig.service: Forbidden");
    }

    @Test
    void onlyWritesMayBlockAndOnlyIfAWebhookIsConfigured() {
        assertThat(api.server().mayBlock(RestRequest.of("POST", PODS))).isFalse();
        validate("guard", "pods", "");

        assertThat(api.server().mayBlock(RestRequest.of("POST", PODS))).isTrue();
        assertThat(api.server().mayBlock(RestRequest.of("GET", PODS))).isFalse();
    }

    private boolean broken;

    private BodyResponse failing(Supplier<BodyResponse> call) {
        broken = true;
        try {
            return call.get();
        } finally {
            broken = false;
        }
    }

    private ObjectNode answer(WebhookEndpoint address, ObjectNode review) throws IOException {
        if (broken) {
            throw new IOException("connection refused");
        }
        String name = address.url().getPath().substring(1);
        asked.add(name);
        requests.add(review.path("request"));
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        answer.put("apiVersion", "admission.k8s.io/v1").put("kind", "AdmissionReview");
        ObjectNode response = answer.putObject("response");
        response.put("uid", review.at("/request/uid").asText()).put("allowed", true);
        answer.set(
                "response", answers.getOrDefault(name, UnaryOperator.identity()).apply(response));
        return answer;
    }

    private static ObjectNode deny(ObjectNode response, int code, String message) {
        response.put("allowed", false).putObject("status").put("code", code).put("message", message);
        return response;
    }

    private static ObjectNode patch(ObjectNode response, String patch) {
        String encoded = Base64.getEncoder().encodeToString(patch.getBytes(StandardCharsets.UTF_8));
        return response.put("patchType", "JSONPatch").put("patch", encoded);
    }

    private void validate(String name, String resource, String more) {
        ok(api.post(GROUP + "validatingwebhookconfigurations", configuration(name, resource, more)));
    }

    private void mutate(String name, String resource, String more) {
        ok(api.post(GROUP + "mutatingwebhookconfigurations", configuration(name, resource, more)));
    }

    private static String configuration(String name, String resource, String more) {
        String lower = name.toLowerCase(Locale.ROOT);
        return """
                metadata: {name: %1$s}
                webhooks:
                - name: %1$s.example.com
                  clientConfig: {url: 'https://127.0.0.1:1/%1$s'}
                  rules: [{operations: ['*'], apiGroups: [''], apiVersions: [v1], resources: ['%2$s']}]
                  admissionReviewVersions: [v1]
                  %3$s
                  %4$s
                """.formatted(lower, resource, "sideEffects: None", more);
    }

    private static String withFailurePolicyIgnore(String name, String resource) {
        return """
                {"webhooks":[{"name":"%1$s.example.com","clientConfig":{"url":"https://127.0.0.1:1/%1$s"},
                "rules":[{"operations":["*"],"apiGroups":[""],"apiVersions":["v1"],"resources":["%2$s"]}],
                "admissionReviewVersions":["v1"],"sideEffects":"None","failurePolicy":"Ignore"}]}""".formatted(name, resource);
    }
}
