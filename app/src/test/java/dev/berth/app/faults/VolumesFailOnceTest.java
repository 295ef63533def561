package dev.berth.app.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.ApiClient;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.Selection;
import dev.berth.embedded.client.object.Json;
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
    void everyPodIsBoundOnceAndAfterItsVolumesWhereTheseAre(Fault fault) throws Exception {
        FirstCallFails meddler = new FirstCallFails(fault);
        try (MeddledCluster cluster = new MeddledCluster(meddler, InstantSource.system())) {
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
                volumes.work();
                assertThat(cluster.pods().values()).hasSize(3).allMatch(place -> place.endsWith(" Running"));
            });
            cluster.isAsIfListedAnew();
            eachIsWhereItsVolumesAre(cluster);
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
    void soItIsWhenNothingArrivesTheFirstTime() throws Exception {
        everyPodIsBoundOnceAndAfterItsVolumesWhereTheseAre(Fault.LOST);
    }

    private static void pod(MeddledCluster cluster, String name, String... claims) {
        String volumes = Arrays.stream(claims)
                .map("{\"name\": \"%1$s\", \"persistentVolumeClaim\": {\"claimName\": \"%1$s\"}}"::formatted)
                .collect(Collectors.joining(", "));
        cluster.client().create(Resource.PODS, Json.parse("""
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s", "namespace": "default"},
                 "spec": {"schedulerName": "berth-scheduler", "volumes": [%s],
                  "containers": [{"name": "c", "image": "nginx"}]}}
                """.formatted(name, volumes)));
    }

    /** Claims and volumes name each other, and the node of the volume is that of the pod. */
    private static void eachIsWhereItsVolumesAre(MeddledCluster cluster) {
        ApiClient client = cluster.client();
        assertThat(client.list(Resource.VOLUMES, Selection.ALL))
                .extracting(volume -> Json.text(volume, "spec", "claimRef", "name"))
                .containsExactlyInAnyOrder("old", "new", "another-old", "another-new");
        for (ObjectNode pod : client.list(Resource.PODS, Selection.in("default"))) {
            for (ObjectNode mounted : Json.objects(pod, "spec", "volumes")) {
                String name = Json.text(mounted, "persistentVolumeClaim", "claimName");
                if (!name.isEmpty()) {
                    ObjectNode claim = client.get(Resource.CLAIMS.at("default", name));
                    ObjectNode volume = client.get(Resource.VOLUMES.named(Json.text(claim, "spec", "volumeName")));
                    assertThat(Json.text(volume, "spec", "claimRef", "uid"))
                            .isEqualTo(Json.text(claim, "metadata", "uid"));
                    assertThat(VolumeController.nodeOf(volume)).isEqualTo(Json.text(pod, "spec", "nodeName"));
                }
            }
        }
    }
}
