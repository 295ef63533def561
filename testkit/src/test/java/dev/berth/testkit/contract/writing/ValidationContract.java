package dev.berth.testkit.contract.writing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.testkit.contract.ApiRequest;
import dev.berth.testkit.contract.ApiResponse;
import dev.berth.testkit.contract.ApiServerContract;
import dev.berth.testkit.contract.Manifests;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Validation errors name the field. */
public abstract class ValidationContract extends ApiServerContract {

    @Test
    void anUnknownFieldIsRejectedByStrictValidation() {
        ApiResponse refused = api.post(testNamespace.path("pods?fieldValidation=Strict"), misspelt());

        refused.expectFailure(400, "BadRequest");
        assertThat(refused.message())
                .isEqualTo("Pod in version \"v1\" cannot be handled as a Pod: strict decoding error: "
                        + "unknown field \"spec.containers[0].imagee\", unknown field \"spec.nodeNam\"");
    }

    @Test
    void anUnknownFieldIsWarnedOf() {
        ApiResponse created = api.post(testNamespace.path("pods?fieldValidation=Warn"), misspelt())
                .expect(201);

        assertThat(created.header("Warning"))
                .containsExactlyInAnyOrder(
                        "299 - \"unknown field \\\"spec.containers[0].imagee\\\"\"",
                        "299 - \"unknown field \\\"spec.nodeNam\\\"\"");
        assertThat(created.json().path("spec").has("nodeNam")).isFalse();
    }

    @Test
    void anUnknownFieldIsWarnedOfByDefault() {
        assertThat(api.post(testNamespace.path("pods"), misspelt()).expect(201).header("Warning"))
                .hasSize(2);
    }

    @Test
    void anUnknownFieldIsIgnoredOnRequest() {
        ApiResponse created = api.post(testNamespace.path("pods?fieldValidation=Ignore"), misspelt())
                .expect(201);

        assertThat(created.header("Warning")).isEmpty();
    }

    @Test
    void aDuplicateFieldIsRejectedByStrictValidation() {
        ApiResponse refused = api.send(ApiRequest.of("POST", testNamespace.path("configmaps?fieldValidation=Strict"))
                .withBody(
                        "application/json",
                        "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\",\"name\":\"b\"}}"));

        refused.expectFailure(400, "BadRequest");
        assertThat(refused.message()).contains("duplicate field \"metadata.name\"");
    }

    @Test
    void aYamlBodyIsAccepted() {
        ApiResponse created = api.send(ApiRequest.of("POST", testNamespace.path("configmaps"))
                .withBody(
                        "application/yaml",
                        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  x: \"1\"\n"));

        assertThat(created.expect(201).at("/data/x")).isEqualTo("1");
    }

    @ParameterizedTest(name = "{0} is refused")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{                                                                  | 400",
                "[]                                                                 | 400",
                "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\"}}        | 400",
                "{\"apiVersion\":\"v2\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"}}  | 400",
                "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":\"a\"}           | 400",
                "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"data\":{\"a\":1},\"metadata\":{\"name\":\"a\"}} | 400",
            })
    void aBodyThatIsNotAConfigMapIsRejected(String body, int code) {
        ApiResponse refused =
                api.send(ApiRequest.of("POST", testNamespace.path("configmaps")).withBody("application/json", body));

        refused.expectFailure(code, "BadRequest");
    }

    @Test
    void aValueOfTheWrongTypeIsLocated() {
        ObjectNode pod = Manifests.pod("web");
        ((ObjectNode) pod.path("spec")).put("priority", "high");

        ApiResponse refused = api.post(testNamespace.path("pods"), pod);

        refused.expectFailure(400, "BadRequest");
        assertThat(refused.message()).contains("Pod in version \"v1\" cannot be handled as a Pod", "spec.priority");
    }

    @Test
    void aPodNeedsContainers() {
        ApiResponse refused = api.post(
                testNamespace.path("pods"),
                Manifests.yaml("{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {}}"));

        refused.expectFailure(422, "Invalid");
        assertThat(refused.message()).isEqualTo("Pod \"a\" is invalid: spec.containers: Required value");
        assertThat(refused.at("/details/causes/0/reason")).isEqualTo("FieldValueRequired");
        assertThat(refused.causes()).containsExactly("spec.containers");
    }

    @Test
    void aMalformedQuantityIsRejected() {
        ApiResponse refused = api.post(testNamespace.path("pods"), asking("three"));

        refused.expectFailure(400, "BadRequest");
        assertThat(refused.message()).contains("quantities must match the regular expression");
    }

    @Test
    void aNegativeRequestIsRefused() {
        ApiResponse refused = api.post(testNamespace.path("pods"), asking("-1"));

        refused.expectFailure(422, "Invalid");
        assertThat(refused.message())
                .isEqualTo("Pod \"web\" is invalid: spec.containers[0].resources.requests[cpu]: "
                        + "Invalid value: \"-1\": must be greater than or equal to 0");
    }

    @Test
    void aRequestAboveItsLimitIsRefused() {
        ObjectNode pod = asking("2");
        ((ObjectNode) pod.at("/spec/containers/0/resources")).set("limits", Manifests.yaml("{cpu: '1'}"));

        ApiResponse refused = api.post(testNamespace.path("pods"), pod);

        refused.expectFailure(422, "Invalid");
        assertThat(refused.message()).contains("must be less than or equal to cpu limit of 1");
    }

    @Test
    void aTokenOfNoServiceAccountIsRefused() {
        ObjectNode pod = Manifests.pod("web");
        ObjectNode spec = (ObjectNode) pod.path("spec");
        spec.remove("serviceAccountName");
        spec.set(
                "volumes",
                Manifests.yaml("{list: [{name: token, projected: {sources: [{serviceAccountToken: {path: token}}]}}]}")
                        .path("list"));

        ApiResponse refused = api.post(testNamespace.path("pods"), pod);

        refused.expectFailure(422, "Invalid");
        assertThat(refused.message())
                .isEqualTo("Pod \"web\" is invalid: spec.volumes[0].projected.sources[0].serviceAccountToken: "
                        + "Forbidden: must not be specified when serviceAccountName is not set");

        spec.put("serviceAccountName", "default");
        assertThat(api.post(testNamespace.path("pods"), pod).message()).doesNotContain("serviceAccountToken");
    }

    @Test
    void aQuantityIsKeptInItsCanonicalForm() {
        ApiResponse created =
                api.post(testNamespace.path("pods"), asking("0.5")).expect(201);

        assertThat(created.at("/spec/containers/0/resources/requests/cpu")).isEqualTo("500m");
    }

    @Test
    void allValidationErrorsAreReportedTogether() {
        ObjectNode pod = asking("-1");
        ((ObjectNode) pod.path("spec")).put("restartPolicy", "Sometimes");

        ApiResponse refused = api.post(testNamespace.path("pods"), pod);

        refused.expectFailure(422, "Invalid");
        assertThat(refused.causes())
                .containsExactlyInAnyOrder("spec.containers[0].resources.requests[cpu]", "spec.restartPolicy");
        assertThat(refused.message())
                .startsWith("Pod \"web\" is invalid: [")
                .contains(
                        "spec.restartPolicy: Unsupported value: \"Sometimes\": supported values: \"Always\", \"OnFailure\", \"Never\"");
    }

    @Test
    void aDeploymentsSelectorMustMatchItsPods() {
        ObjectNode deployment = Manifests.deployment("web");
        ((ObjectNode) deployment.at("/spec/template/metadata")).set("labels", Manifests.yaml("{app: other}"));

        ApiResponse refused = api.post(testNamespace.path("apps/v1", "deployments"), deployment);

        refused.expectFailure(422, "Invalid");
        assertThat(refused.message())
                .contains("spec.template.metadata.labels", "`selector` does not match template `labels`");
    }

    private static ObjectNode misspelt() {
        ObjectNode pod = Manifests.pod("web");
        ((ObjectNode) pod.path("spec")).put("nodeNam", "n1");
        ((ObjectNode) pod.at("/spec/containers/0")).put("imagee", "nginx");
        return pod;
    }

    private static ObjectNode asking(String cpu) {
        ObjectNode pod = Manifests.pod("web");
        ((ObjectNode) pod.at("/spec/containers/0"))
                .set("resources", Manifests.yaml("{requests: {cpu: '%s'}}".formatted(cpu)));
        return pod;
    }
}
