package dev.berth.testkit.contract.extending;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.testkit.contract.ApiResponse;
import dev.berth.testkit.contract.ApiServerContract;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.contract.HttpApi;
import dev.berth.testkit.contract.Manifests;
import dev.berth.testkit.contract.WebhookServer;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Admission webhooks: they are called before anything is written, and they decide. */
public abstract class AdmissionContract extends ApiServerContract {

    private static final String CONFIGURATIONS = "/apis/admissionregistration.k8s.io/v1/";
    private static final String PROBE = "probe";

    @Test
    void aDeniedBindingNamesTheWebhookAndTheReason() {
        create("web");
        try (WebhookServer webhook = new WebhookServer(request -> WebhookServer.denied(409, "held for others"))) {
            validating(webhook, "pods/binding", "failurePolicy: Fail");

            ApiResponse refused = bind("web", "");

            refused.expect(409);
            assertThat(refused.message())
                    .isEqualTo("admission webhook \"guard.example.com\" denied the request: held for others");
            assertThat(refused.at("/status")).isEqualTo("Failure");
            assertThat(api.get(testNamespace.path("pods/web")).at("/spec/nodeName"))
                    .isEmpty();
        }
    }

    @Test
    void aValidatingAdmissionPolicyAndItsBindingAreStoredWithTheirDefaults() {
        ApiResponse policy = api.post(CONFIGURATIONS + "validatingadmissionpolicies", Manifests.yaml("""
                apiVersion: admissionregistration.k8s.io/v1
                kind: ValidatingAdmissionPolicy
                metadata: {name: stored}
                spec:
                  matchConstraints:
                    resourceRules: [{apiGroups: [""], apiVersions: [v1], resources: [pods], operations: [CREATE]}]
                  validations: [{expression: "true"}]
                """))
                .expect(201);
        assertThat(policy.at("/spec/failurePolicy")).isEqualTo("Fail");
        assertThat(policy.at("/spec/matchConstraints/matchPolicy")).isEqualTo("Equivalent");
        assertThat(policy.json().at("/spec/matchConstraints/objectSelector").isObject())
                .isTrue();
        assertThat(policy.at("/spec/matchConstraints/resourceRules/0/scope")).isEqualTo("*");
        assertThat(policy.at("/metadata/generation")).isEqualTo("1");
        ApiResponse binding = api.post(CONFIGURATIONS + "validatingadmissionpolicybindings", Manifests.yaml("""
                apiVersion: admissionregistration.k8s.io/v1
                kind: ValidatingAdmissionPolicyBinding
                metadata: {name: stored}
                spec: {policyName: stored, validationActions: [Audit], matchResources: {}}
                """))
                .expect(201);
        assertThat(binding.at("/spec/matchResources/matchPolicy")).isEqualTo("Equivalent");
        for (String kind : List.of("validatingadmissionpolicybindings", "validatingadmissionpolicies")) {
            api.delete(CONFIGURATIONS + kind + "/stored").expect(200);
        }
    }

    @Test
    void aDenialWithoutACodeIsABadRequest() {
        try (WebhookServer webhook = new WebhookServer(request -> Manifests.yaml("{allowed: false}"))) {
            validating(webhook, "pods", "");

            ApiResponse refused = api.post(testNamespace.path("pods"), Manifests.pod("web"));

            refused.expect(400);
            assertThat(refused.message())
                    .isEqualTo("admission webhook \"guard.example.com\" denied the request without explanation");
        }
    }

    @Test
    void aReviewCarriesTheRequest() {
        String uid = create("web").uid();
        try (WebhookServer webhook = new WebhookServer(request -> WebhookServer.allowed())) {
            validating(webhook, "pods/binding", "");

            bind("web", "?fieldManager=me").expect(201);

            JsonNode request = lastOf(webhook, "web");
            assertThat(request.path("kind")).isEqualTo(Manifests.yaml("{group: '', version: v1, kind: Binding}"));
            assertThat(request.path("resource")).isEqualTo(Manifests.yaml("{group: '', version: v1, resource: pods}"));
            assertThat(request.path("subResource").asText()).isEqualTo("binding");
            assertThat(request.path("namespace").asText()).isEqualTo(testNamespace.namespace());
            assertThat(request.path("operation").asText()).isEqualTo("CREATE");
            assertThat(request.path("dryRun").asBoolean()).isFalse();
            assertThat(request.at("/userInfo/username").asText()).isNotEmpty();
            assertThat(request.at("/object/target/name").asText()).isEqualTo("n1");
            assertThat(request.at("/object/kind").asText()).isEqualTo("Binding");
            assertThat(request.path("oldObject").isNull()).isTrue();
            assertThat(request.at("/options/fieldManager").asText()).isEqualTo("me");
            assertThat(uid).isNotEmpty();
        }
    }

    @Test
    void aReviewOfADryRunIsMarked() {
        create("web");
        try (WebhookServer webhook = new WebhookServer(request -> WebhookServer.allowed())) {
            validating(webhook, "pods/binding", "");

            bind("web", "?dryRun=All").expect(201);

            assertThat(lastOf(webhook, "web").path("dryRun").asBoolean()).isTrue();
            assertThat(api.get(testNamespace.path("pods/web")).at("/spec/nodeName"))
                    .isEmpty();
        }
    }

    @Test
    void aBindingIsMutated() {
        create("web");
        String patch = "[{\"op\":\"add\",\"path\":\"/metadata/annotations\",\"value\":{\"berth.dev/hold\":\"h-7\"}}]";
        try (WebhookServer webhook = new WebhookServer(request -> WebhookServer.patched(patch))) {
            mutating(webhook, "pods/binding");

            bind("web", "").expect(201);

            assertThat(api.get(testNamespace.path("pods/web")).at("/metadata/annotations/berth.dev~1hold"))
                    .isEqualTo("h-7");
        }
    }

    @Test
    void aPodIsMutatedBeforeValidation() {
        String patch = "[{\"op\":\"add\",\"path\":\"/metadata/labels\",\"value\":{\"seen\":\"yes\"}}]";
        try (WebhookServer changer = new WebhookServer(request -> WebhookServer.patched(patch));
                WebhookServer judge = new WebhookServer(request ->
                        request.at("/object/metadata/labels/seen").asText().equals("yes")
                                ? WebhookServer.allowed()
                                : WebhookServer.denied(403, "unseen"))) {
            validating(judge, "pods", "");
            mutating(changer, "pods");

            ApiResponse created =
                    api.post(testNamespace.path("pods"), Manifests.pod("web")).expect(201);

            assertThat(created.at("/metadata/labels/seen")).isEqualTo("yes");
        }
    }

    @Test
    void updateAndDeleteReviewsCarryTheOldObject() {
        create("web");
        try (WebhookServer webhook = new WebhookServer(request -> WebhookServer.allowed())) {
            validating(webhook, "pods", "");
            api.patch(testNamespace.path("pods/web"), HttpApi.MERGE_PATCH, "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}")
                    .expect(200);
            JsonNode update = lastOf(webhook, "web");
            api.delete(testNamespace.path("pods/web")).expect(200);
            JsonNode deletion = lastOf(webhook, "web");

            assertThat(update.path("operation").asText()).isEqualTo("UPDATE");
            assertThat(update.at("/object/metadata/labels/a").asText()).isEqualTo("b");
            assertThat(update.at("/oldObject/metadata/labels").isMissingNode()).isTrue();
            assertThat(deletion.path("operation").asText()).isEqualTo("DELETE");
            assertThat(deletion.path("object").isNull()).isTrue();
            assertThat(deletion.at("/oldObject/metadata/name").asText()).isEqualTo("web");
        }
    }

    @Test
    void aWarningReachesTheClient() {
        try (WebhookServer webhook = new WebhookServer(request -> {
            ObjectNode response = WebhookServer.allowed();
            response.putArray("warnings").add("mind the gap");
            return response;
        })) {
            validating(webhook, "pods", "");

            ApiResponse created =
                    api.post(testNamespace.path("pods"), Manifests.pod("web")).expect(201);

            assertThat(created.header("Warning")).containsExactly("299 - \"mind the gap\"");
        }
    }

    @Test
    void anUnreachableWebhookFailsTheRequest() {
        WebhookServer webhook = new WebhookServer(request -> WebhookServer.allowed());
        validating(webhook, "pods", "failurePolicy: Fail");
        webhook.close();

        ApiResponse refused = api.post(testNamespace.path("pods"), Manifests.pod("web"));

        refused.expectFailure(500, "InternalError");
        assertThat(refused.message())
                .startsWith(
                        "Internal error occurred: failed calling webhook \"guard.example.com\": failed to call webhook:");
    }

    @Test
    void anUnreachableWebhookWithPolicyIgnoreIsSkipped() {
        WebhookServer webhook = new WebhookServer(request -> WebhookServer.allowed());
        validating(webhook, "pods", "failurePolicy: Ignore");
        webhook.close();

        create("web");
    }

    @Test
    void aWebhookTimeoutFailsTheRequest() {
        try (WebhookServer webhook = new WebhookServer(AdmissionContract::neverForPods)) {
            validating(webhook, "pods", "timeoutSeconds: 1");

            ApiResponse refused = api.post(testNamespace.path("pods"), Manifests.pod("web"));

            refused.expectFailure(500, "InternalError");
            assertThat(refused.message())
                    .isEqualTo("Internal error occurred: failed calling webhook \"guard.example.com\": failed to call"
                            + " webhook: Post \"%s?timeout=1s\": context deadline exceeded"
                                    .formatted(
                                            webhook.clientConfig().path("url").asText()));
        }
    }

    @Test
    void aWebhookTimeoutWithPolicyIgnoreIsSkipped() {
        try (WebhookServer webhook = new WebhookServer(AdmissionContract::neverForPods)) {
            validating(webhook, "pods", "timeoutSeconds: 1\n  failurePolicy: Ignore");

            create("web");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    500 | an error on the server ("oops") has prevented the request from succeeding
                    503 | the server is currently unable to handle the request
                    404 | the server could not find the requested resource
                    400 | the server rejected our request for an unknown reason
                    """)
    void aWebhookHttpErrorFailsTheRequest(int code, String words) {
        try (WebhookServer webhook = new WebhookServer(request -> WebhookServer.fault(code, "oops"))) {
            validating(webhook, "pods", "failurePolicy: Fail");

            ApiResponse refused = api.post(testNamespace.path("pods"), Manifests.pod("web"));

            refused.expectFailure(500, "InternalError");
            assertThat(refused.message())
                    .isEqualTo("Internal error occurred: failed calling webhook \"guard.example.com\": failed to call"
                            + " webhook: " + words);
        }
    }

    @Test
    void anUnreachableWebhookIsReportedWithItsAddress() {
        WebhookServer webhook = new WebhookServer(request -> WebhookServer.allowed());
        validating(webhook, "pods", "failurePolicy: Fail");
        webhook.close();
        String url = webhook.clientConfig().path("url").asText();

        ApiResponse refused = api.post(testNamespace.path("pods"), Manifests.pod("web"));

        assertThat(refused.message())
                .endsWith("Post \"%s?timeout=10s\": dial tcp %s: connect: connection refused"
                        .formatted(url, URI.create(url).getAuthority()));
    }

    /** Answers the probes that check whether it is called, and blocks on everything else until it is closed. */
    private static ObjectNode neverForPods(JsonNode request) {
        if (!request.path("name").asText().equals(PROBE)) {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException closed) {
                Thread.currentThread().interrupt();
            }
        }
        return WebhookServer.allowed();
    }

    @Test
    void aWebhookIsCalledOnlyForSelectedObjects() {
        try (WebhookServer webhook = new WebhookServer(request -> WebhookServer.denied(403, "no"))) {
            validating(webhook, "pods", "objectSelector: {matchLabels: {guarded: 'yes'}}");
            ObjectNode guarded = Manifests.pod("guarded");
            ((ObjectNode) guarded.path("metadata")).set("labels", Manifests.yaml("{guarded: 'yes'}"));

            create("free");
            api.post(testNamespace.path("pods"), guarded).expect(403);
        }
    }

    private ApiResponse create(String name) {
        return api.post(testNamespace.path("pods"), Manifests.pod(name)).expect(201);
    }

    private ApiResponse bind(String pod, String query) {
        return api.post(testNamespace.path("pods/" + pod + "/binding" + query), Manifests.binding(pod, "n1"));
    }

    private void validating(WebhookServer webhook, String resource, String more) {
        configure(
                "validatingwebhookconfigurations", "ValidatingWebhookConfiguration", webhook, List.of(resource, more));
    }

    private void mutating(WebhookServer webhook, String resource) {
        configure("mutatingwebhookconfigurations", "MutatingWebhookConfiguration", webhook, List.of(resource, ""));
    }

    /** Registers a webhook for this test's namespace, and waits until the server asks it. */
    private void configure(String path, String kind, WebhookServer webhook, List<String> resourceAndMore) {
        ObjectNode configuration = Manifests.yaml("""
                apiVersion: admissionregistration.k8s.io/v1
                kind: %s
                metadata:
                  name: %s
                webhooks:
                - name: guard.example.com
                  admissionReviewVersions: [v1]
                  sideEffects: None
                  namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: %s}}
                  rules:
                  - {operations: ['*'], apiGroups: [''], apiVersions: [v1], resources: [%s]}
                  %s
                """.formatted(
                        kind,
                        testNamespace.uniqueName(kind.toLowerCase(Locale.ROOT)),
                        testNamespace.namespace(),
                        resourceAndMore.get(0),
                        resourceAndMore.get(1)));
        ((ObjectNode) configuration.at("/webhooks/0")).set("clientConfig", webhook.clientConfig());
        testNamespace.create(CONFIGURATIONS + path, configuration);
        int before = webhook.requests().size();
        Eventually.holds(() -> {
            probe(resourceAndMore.get(0));
            assertThat(webhook.requests().size()).isGreaterThan(before);
        });
    }

    private void probe(String resource) {
        ObjectNode pod = Manifests.pod(PROBE);
        ((ObjectNode) pod.path("metadata")).set("labels", Manifests.yaml("{guarded: 'yes'}"));
        if (resource.equals("pods")) {
            api.post(testNamespace.path("pods?dryRun=All"), pod);
        } else {
            api.post(testNamespace.path("pods/%s/binding?dryRun=All".formatted(PROBE)), Manifests.binding(PROBE, "n1"));
        }
    }

    private static JsonNode lastOf(WebhookServer webhook, String name) {
        List<JsonNode> requests = webhook.requests().stream()
                .filter(request -> request.path("name").asText().equals(name))
                .toList();
        return requests.get(requests.size() - 1);
    }
}
