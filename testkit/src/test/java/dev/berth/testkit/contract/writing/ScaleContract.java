package dev.berth.testkit.contract.writing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.testkit.contract.ApiResponse;
import dev.berth.testkit.contract.ApiServerContract;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.contract.HttpApi;
import dev.berth.testkit.contract.Manifests;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The scale subresource, as {@code kubectl scale} uses it. */
public abstract class ScaleContract extends ApiServerContract {

    @BeforeEach
    void createADeployment() {
        ObjectNode deployment = Manifests.deployment("web");
        ((ObjectNode) deployment.path("spec")).put("paused", true).put("replicas", 0);
        api.post(testNamespace.path("apps/v1", "deployments"), deployment).expect(201);
    }

    @Test
    void aScaleShowsReplicasAndSelector() {
        ApiResponse scale = api.get(path()).expect(200);

        assertThat(scale.at("/kind")).isEqualTo("Scale");
        assertThat(scale.at("/apiVersion")).isEqualTo("autoscaling/v1");
        assertThat(scale.at("/metadata/name")).isEqualTo("web");
        assertThat(scale.at("/status/selector")).isEqualTo("app=web");
        assertThat(scale.at("/status/replicas")).isEqualTo("0");
    }

    @Test
    void aScalePatchChangesTheReplicas() {
        ApiResponse scaled = api.patch(path(), HttpApi.MERGE_PATCH, "{\"spec\":{\"replicas\":5}}")
                .expect(200);

        assertThat(scaled.at("/spec/replicas")).isEqualTo("5");
        ApiResponse deployment =
                api.get(testNamespace.path("apps/v1", "deployments/web")).expect(200);
        assertThat(deployment.at("/spec/replicas")).isEqualTo("5");
        assertThat(deployment.at("/metadata/generation")).isEqualTo("2");
    }

    @Test
    void aScaleUpdateChecksItsResourceVersion() {
        // Before its controller has seen it, its status may still change under our hands.
        Eventually.holds(() -> assertThat(api.get(testNamespace.path("apps/v1", "deployments/web"))
                        .at("/status/observedGeneration"))
                .isEqualTo("1"));
        ObjectNode scale = (ObjectNode) api.get(path()).expect(200).json();
        ((ObjectNode) scale.path("spec")).put("replicas", 2);

        api.put(path(), scale).expect(200);
        ((ObjectNode) scale.path("spec")).put("replicas", 3);
        ApiResponse stale = api.put(path(), scale);

        stale.expectFailure(409, "Conflict");
        assertThat(api.get(path()).at("/spec/replicas")).isEqualTo("2");
    }

    @Test
    void negativeReplicasAreRejected() {
        ApiResponse refused = api.patch(path(), HttpApi.MERGE_PATCH, "{\"spec\":{\"replicas\":-1}}");

        refused.expectFailure(422, "Invalid");
        assertThat(refused.causes()).containsExactly("spec.replicas");
    }

    private String path() {
        return testNamespace.path("apps/v1", "deployments/web/scale");
    }
}
