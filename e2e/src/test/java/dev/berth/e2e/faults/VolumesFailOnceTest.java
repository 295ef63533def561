package dev.berth.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.DynamicClient;
import dev.berth.sandbox.client.ListScope;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.unstructured.JsonText;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.testkit.contract.Eventually;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Pods wait for volumes that are bound or made by where they go, and all that Berth asks for them goes wrong at first. */
@Timeout(300)
class VolumesFailOnceTest {
    private static final String CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims/";

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "LOST")
    void everyPodIsBoundOnceToTheNodeOfItsVolumes(Fault fault) throws Exception {
        FirstCallFails meddler = new FirstCallFails(fault);
        try (FaultyCluster cluster = new FaultyCluster(meddler, InstantSource.system())) {
            VolumeController volumes = new VolumeController(cluster.client());
            volumes.storageClass("local", "kubernetes.io/no-provisioner");
            volumes.storageClass("made", "disks.example.com");
            volumes.localVolume("disk-0", "node-0");
            volumes.localVolume("disk-1", "node-1");
            cluster.berth().awaitReady(2);
            volumes.claim("old", "local");
            volumes.claim("new", "made");
            volumes.claim("another-old", "local");
            volumes.claim("another-new", "made");
            pod(cluster, "static", "old");
            pod(cluster, "dynamic", "new");
            pod(cluster, "both", "another-old", "another-new");

            Eventually.holds(() -> {
                volumes.reconcile();
                assertThat(cluster.pods().values()).hasSize(3).allMatch(place -> place.endsWith(" Running"));
            });
            cluster.assertLedgerEqualsFreshList();
            assertPodsAreOnTheNodesOfTheirVolumes(cluster);
        }
        assertThat(meddler.bound()).hasSize(3).values().containsOnly(1);
        String selectsNode = " [metadata.annotations.volume.kubernetes.io/selected-node]";
        assertThat(meddler.failed())
                .contains(
                        "PATCH " + CLAIMS + "new" + selectsNode,
                        "PATCH " + CLAIMS + "another-new" + selectsNode,
                        "POST /api/v1/namespaces/default/pods/both/binding")
                .anyMatch(call -> call.startsWith("PATCH /api/v1/namespaces/default/pods/dynamic/status "))
                .anyMatch(call -> call.startsWith("PATCH /api/v1/persistentvolumes/disk-0 "))
                .anyMatch(call -> call.startsWith("PATCH /api/v1/persistentvolumes/disk-1 "));
    }

    /** As long as the timeouts are, it takes minutes. */
    @Test
    @Tag("long")
    void everyPodIsBoundOnceWhenFirstRequestsAreLost() throws Exception {
        everyPodIsBoundOnceToTheNodeOfItsVolumes(Fault.LOST);
    }

    private static void pod(FaultyCluster cluster, String name, String... claims) {
        String volumes = Arrays.stream(claims)
                .map("{\"name\": \"%1$s\", \"persistentVolumeClaim\": {\"claimName\": \"%1$s\"}}"::formatted)
                .collect(Collectors.joining(", "));
        cluster.client().create(RestMapping.PODS, JsonText.parse("""
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s", "namespace": "default"},
                 "spec": {"schedulerName": "berth-scheduler", "volumes": [%s],
                  "containers": [{"name": "c", "image": "nginx"}]}}
                """.formatted(name, volumes)));
    }

    /** Claims and volumes name each other, and the node of the volume is that of the pod. */
    private static void assertPodsAreOnTheNodesOfTheirVolumes(FaultyCluster cluster) {
        DynamicClient client = cluster.client();
        assertThat(client.list(RestMapping.PERSISTENT_VOLUMES, ListScope.ALL))
                .extracting(volume -> NestedFields.text(volume, "spec", "claimRef", "name"))
                .containsExactlyInAnyOrder("old", "new", "another-old", "another-new");
        for (ObjectNode pod : client.list(RestMapping.PODS, ListScope.inNamespace("default"))) {
            for (ObjectNode mounted : NestedFields.objects(pod, "spec", "volumes")) {
                String name = NestedFields.text(mounted, "persistentVolumeClaim", "claimName");
                if (!name.isEmpty()) {
                    ObjectNode claim = client.get(RestMapping.PERSISTENT_VOLUME_CLAIMS.object("default", name));
                    ObjectNode volume = client.get(RestMapping.PERSISTENT_VOLUMES.clusterObject(
                            NestedFields.text(claim, "spec", "volumeName")));
                    assertThat(NestedFields.text(volume, "spec", "claimRef", "uid"))
                            .isEqualTo(NestedFields.text(claim, "metadata", "uid"));
                    assertThat(VolumeController.nodeOf(volume)).isEqualTo(NestedFields.text(pod, "spec", "nodeName"));
                }
            }
        }
    }
}
