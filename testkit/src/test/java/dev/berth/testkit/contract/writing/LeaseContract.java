package dev.berth.testkit.contract.writing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.testkit.contract.ApiResponse;
import dev.berth.testkit.contract.ApiServerContract;
import dev.berth.testkit.contract.Manifests;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Leases, by which leaders are elected: of two concurrent writes one gets a conflict. */
public abstract class LeaseContract extends ApiServerContract {

    @Test
    void aLeaseKeepsItsMicroseconds() {
        ApiResponse created = create();

        assertThat(created.at("/spec/renewTime")).isEqualTo("2027-01-15T08:00:00.123456Z");
        assertThat(created.at("/spec/leaseDurationSeconds")).isEqualTo("15");
        assertThat(created.at("/spec/holderIdentity")).isEqualTo("one");
    }

    @Test
    void aTimeWithoutMicrosecondsIsRefused() {
        ApiResponse created = create();

        ApiResponse refused = api.put(path(), held(created, "two", "2027-01-15T08:00:01Z"));

        refused.expectFailure(400, "BadRequest");
        assertThat(refused.message())
                .contains("Lease in version \"v1\" cannot be handled as a Lease", "2027-01-15T08:00:01Z");
    }

    @Test
    void onlyOneOfManyConcurrentUpdatesSucceeds() {
        ApiResponse created = create();

        List<CompletableFuture<ApiResponse>> takers = IntStream.range(0, 8)
                .mapToObj(i -> CompletableFuture.supplyAsync(
                        () -> api.put(path(), held(created, "taker-" + i, "2027-01-15T08:01:00.000000Z"))))
                .toList();
        List<Integer> answers =
                takers.stream().map(taker -> taker.join().status()).toList();

        assertThat(answers).containsOnlyOnce(200).containsOnly(200, 409);
    }

    @Test
    void anUpdateWithoutAResourceVersionIsRejected() {
        ApiResponse created = create();
        ObjectNode blind = (ObjectNode) held(created, "blind", "2027-01-15T08:01:00.000000Z");
        ((ObjectNode) blind.path("metadata")).remove("resourceVersion");

        ApiResponse refused = api.put(path(), blind);

        refused.expectFailure(422, "Invalid");
        assertThat(refused.message())
                .contains("metadata.resourceVersion: Invalid value:", "must be specified for an update");
    }

    @Test
    void aLeaseKeepsItsAnnotations() {
        ApiResponse created = create();
        ObjectNode noted = (ObjectNode) held(created, "one", "2027-01-15T08:01:00.000000Z");
        ((ObjectNode) noted.path("metadata")).set("annotations", Manifests.yaml("{berth.dev/version: '17'}"));

        ApiResponse updated = api.put(path(), noted).expect(200);

        assertThat(updated.at("/metadata/annotations/berth.dev~1version")).isEqualTo("17");
        assertThat(updated.at("/spec/renewTime")).isEqualTo("2027-01-15T08:01:00.000000Z");
    }

    private ApiResponse create() {
        return api.post(testNamespace.path("coordination.k8s.io/v1", "leases"), Manifests.yaml("""
                                apiVersion: coordination.k8s.io/v1
                                kind: Lease
                                metadata: {name: leader}
                                spec:
                                  holderIdentity: one
                                  leaseDurationSeconds: 15
                                  acquireTime: "2027-01-15T08:00:00.000000Z"
                                  renewTime: "2027-01-15T08:00:00.123456Z"
                                  leaseTransitions: 0
                                """))
                .expect(201);
    }

    private String path() {
        return testNamespace.path("coordination.k8s.io/v1", "leases/leader");
    }

    private static JsonNode held(ApiResponse lease, String holder, String renewed) {
        JsonNode taken = lease.json().deepCopy();
        ((ObjectNode) taken.path("spec")).put("holderIdentity", holder).put("renewTime", renewed);
        return taken;
    }
}
