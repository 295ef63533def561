package dev.berth.embedded.workload;

import static dev.berth.embedded.workload.Workloads.DB;
import static dev.berth.embedded.workload.Workloads.image;
import static dev.berth.embedded.workload.Workloads.imageOf;
import static dev.berth.embedded.workload.Workloads.replicas;
import static dev.berth.embedded.workload.Workloads.statefulSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.DeleteOptions;
import dev.berth.embedded.client.DeleteOptions.Propagation;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.client.object.Pods;
import dev.berth.embedded.kubelet.KubeletSettings;
import dev.berth.embedded.kubelet.NodePlan;
import dev.berth.embedded.simulation.Cluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class StatefulSetTest {
    private static final String SERVICE = "serviceName: db";
    private static final String CLAIMS = """
            volumeClaimTemplates:
              - metadata: {name: data}
                spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}""";

    /** Pods that need five seconds to start and three to stop. */
    private static Cluster slow() {
        KubeletSettings settings =
                KubeletSettings.DEFAULT.startingFor(Duration.ofSeconds(5)).stoppingFor(Duration.ofSeconds(3));
        return Cluster.of(NodePlan.nodes(3, "8", "32Gi", 110), settings);
    }

    private static void create(Cluster cluster, String yaml) {
        cluster.create(yaml, Resource.STATEFUL_SETS);
        cluster.settle();
    }

    private static ObjectNode status(Cluster cluster) {
        return Json.copyOf(cluster.client().get(DB), "status");
    }

    private static String images(Cluster cluster) {
        return String.join(" ", cluster.pods().stream().map(Workloads::imageOf).toList());
    }

    @Test
    void podsComeOneAfterAnotherEachWhenItsPredecessorIsReady() {
        try (Cluster cluster = slow()) {
            create(cluster, statefulSet(3, "pg", SERVICE));
            assertThat(cluster.names(Resource.PODS)).containsExactly("db-0");
            cluster.advance(Duration.ofSeconds(5));
            assertThat(cluster.names(Resource.PODS)).containsExactly("db-0", "db-1");
            assertThat(Json.number(status(cluster), 0, "readyReplicas")).isEqualTo(1);
            cluster.advance(Duration.ofSeconds(10));
            assertThat(cluster.pods()).hasSize(3).allMatch(Pods::ready);
            assertThat(Json.number(status(cluster), 0, "availableReplicas")).isEqualTo(3);
        }
    }

    @Test
    void inParallelTheyComeAtOnce() {
        try (Cluster cluster = slow()) {
            create(cluster, statefulSet(3, "pg", SERVICE, "podManagementPolicy: Parallel"));
            assertThat(cluster.names(Resource.PODS)).containsExactly("db-0", "db-1", "db-2");
            cluster.advance(Duration.ofSeconds(5));
            cluster.merge(DB, replicas(1));
            assertThat(cluster.pods().stream().filter(Meta::terminating).map(Meta::name))
                    .containsExactly("db-1", "db-2");
        }
    }

    @Test
    void aPodKnowsItsNameItsNumberAndItsRevision() {
        try (Cluster cluster = Cluster.ofThreeNodes()) {
            create(cluster, statefulSet(2, "pg", SERVICE, "ordinals: {start: 5}"));
            ObjectNode pod = cluster.pod("db-6");
            assertThat(Meta.labels(pod))
                    .containsEntry("statefulset.kubernetes.io/pod-name", "db-6")
                    .containsEntry("apps.kubernetes.io/pod-index", "6")
                    .containsEntry("controller-revision-hash", Json.text(status(cluster), "updateRevision"));
            assertThat(Json.text(pod, "spec", "hostname")).isEqualTo("db-6");
            assertThat(Json.text(pod, "spec", "subdomain")).isEqualTo("db");
        }
    }

    @Test
    void theyGoFromTheHighestNumberDownOneAtATime() {
        try (Cluster cluster = slow()) {
            create(cluster, statefulSet(3, "pg", SERVICE));
            cluster.advance(Duration.ofSeconds(15));
            cluster.merge(DB, replicas(1));
            assertThat(cluster.pods().stream().filter(Meta::terminating).map(Meta::name))
                    .containsExactly("db-2");
            cluster.advance(Duration.ofSeconds(3));
            assertThat(cluster.pods().stream().filter(Meta::terminating).map(Meta::name))
                    .containsExactly("db-1");
            cluster.advance(Duration.ofSeconds(3));
            assertThat(cluster.names(Resource.PODS)).containsExactly("db-0");
        }
    }

    @Test
    void anUpdateReplacesThemFromTheHighestNumberDown() {
        try (Cluster cluster = slow()) {
            create(cluster, statefulSet(3, "pg:1", SERVICE));
            cluster.advance(Duration.ofSeconds(15));
            cluster.merge(DB, image("pg:2"));
            cluster.advance(Duration.ofSeconds(3));
            assertThat(images(cluster)).isEqualTo("pg:1 pg:1 pg:2");
            cluster.advance(Duration.ofSeconds(4));
            assertThat(images(cluster)).as("db-2 is not ready yet").isEqualTo("pg:1 pg:1 pg:2");
            cluster.advance(Duration.ofSeconds(4));
            assertThat(images(cluster)).isEqualTo("pg:1 pg:2 pg:2");
            cluster.advance(Duration.ofSeconds(16));
            assertThat(images(cluster)).isEqualTo("pg:2 pg:2 pg:2");
            assertThat(Json.text(status(cluster), "currentRevision"))
                    .isEqualTo(Json.text(status(cluster), "updateRevision"));
            assertThat(Json.number(status(cluster), 0, "currentReplicas")).isEqualTo(3);
        }
    }

    @Test
    void belowThePartitionPodsKeepTheirRevisionAndGetItBack() {
        try (Cluster cluster = Cluster.ofThreeNodes()) {
            create(cluster, statefulSet(3, "pg:1", SERVICE, "updateStrategy: {rollingUpdate: {partition: 2}}"));
            cluster.merge(DB, image("pg:2"));
            assertThat(images(cluster)).isEqualTo("pg:1 pg:1 pg:2");
            cluster.delete(Resource.PODS.at("default", "db-0"));
            assertThat(images(cluster)).isEqualTo("pg:1 pg:1 pg:2");
            assertThat(Json.number(status(cluster), 0, "updatedReplicas")).isEqualTo(1);
            cluster.merge(DB, "{spec: {updateStrategy: {rollingUpdate: {partition: 0}}}}");
            assertThat(images(cluster)).isEqualTo("pg:2 pg:2 pg:2");
        }
    }

    @Test
    void onDeletionOnlyWhatIsDeletedIsUpdated() {
        try (Cluster cluster = Cluster.ofThreeNodes()) {
            create(cluster, statefulSet(2, "pg:1", SERVICE, "updateStrategy: {type: OnDelete}"));
            cluster.merge(DB, image("pg:2"));
            assertThat(images(cluster)).isEqualTo("pg:1 pg:1");
            cluster.delete(Resource.PODS.at("default", "db-0"));
            assertThat(images(cluster)).isEqualTo("pg:2 pg:1");
        }
    }

    @Test
    void everyTemplateIsARevisionAndGoingBackMakesItTheNewest() {
        try (Cluster cluster = Cluster.ofThreeNodes()) {
            create(cluster, statefulSet(1, "pg:1", SERVICE, "revisionHistoryLimit: 1"));
            String first = Json.text(status(cluster), "updateRevision");
            cluster.merge(DB, image("pg:2"));
            cluster.merge(DB, image("pg:1"));
            assertThat(Json.text(status(cluster), "updateRevision")).isEqualTo(first);
            ObjectNode revision = cluster.client().get(Resource.REVISIONS.at("default", first));
            assertThat(Json.number(revision, 0, "revision")).isEqualTo(3);
            assertThat(Json.text(revision, "data", "spec", "template", "$patch"))
                    .isEqualTo("replace");
            for (int i = 3; i < 7; i++) {
                cluster.merge(DB, image("pg:" + i));
            }
            assertThat(cluster.names(Resource.REVISIONS)).hasSize(2);
        }
    }

    @Test
    void aFailedPodIsDeletedAndMadeAgain() {
        try (Cluster cluster = Cluster.ofThreeNodes()) {
            create(cluster, statefulSet(2, "pg", SERVICE));
            String before = Meta.uid(cluster.pod("db-1"));
            cluster.merge(
                    Resource.PODS.at("default", "db-1"),
                    "{metadata: {annotations: {simulate.berth.dev/fail: Evicted}}}");
            assertThat(Meta.uid(cluster.pod("db-1"))).isNotEqualTo(before);
            assertThat(cluster.pods()).hasSize(2).allMatch(Pods::ready);
        }
    }

    @Test
    void eachPodMountsAClaimOfItsOwnThatOutlivesIt() {
        try (Cluster cluster = Cluster.ofThreeNodes()) {
            create(cluster, statefulSet(2, "pg", SERVICE, CLAIMS));
            assertThat(cluster.names(Resource.CLAIMS)).containsExactly("data-db-0", "data-db-1");
            ObjectNode volume =
                    Json.objects(cluster.pod("db-1"), "spec", "volumes").get(0);
            assertThat(Json.text(volume, "name")).isEqualTo("data");
            assertThat(Json.text(volume, "persistentVolumeClaim", "claimName")).isEqualTo("data-db-1");
            ObjectNode claim = cluster.client().get(Resource.CLAIMS.at("default", "data-db-0"));
            assertThat(Meta.labels(claim)).containsEntry("app", "db");
            assertThat(Meta.owners(claim)).isEmpty();
            cluster.merge(DB, replicas(1));
            cluster.delete(DB);
            assertThat(cluster.pods()).isEmpty();
            assertThat(cluster.names(Resource.CLAIMS)).containsExactly("data-db-0", "data-db-1");
        }
    }

    @Test
    void claimsGoWithThePodOrTheSetWhenThePolicySaysSo() {
        try (Cluster cluster = Cluster.ofThreeNodes()) {
            String policy = "persistentVolumeClaimRetentionPolicy: {whenScaled: Delete, whenDeleted: Delete}";
            create(cluster, statefulSet(3, "pg", SERVICE, policy, CLAIMS));
            cluster.merge(DB, replicas(2));
            removeProtection(cluster);
            assertThat(cluster.names(Resource.CLAIMS)).containsExactly("data-db-0", "data-db-1");
            cluster.delete(DB);
            removeProtection(cluster);
            assertThat(cluster.names(Resource.CLAIMS)).isEmpty();
        }
    }

    /** Servers protect claims in use by a finalizer; the controller that lifts it is none of those here. */
    private static void removeProtection(Cluster cluster) {
        for (ObjectNode claim : cluster.list(Resource.CLAIMS)) {
            if (Meta.terminating(claim)) {
                cluster.merge(Resource.CLAIMS.at("default", Meta.name(claim)), "{metadata: {finalizers: null}}");
            }
        }
    }

    @Test
    void orphanedPodsAreTakenInAgain() {
        try (Cluster cluster = Cluster.ofThreeNodes()) {
            create(cluster, statefulSet(2, "pg", SERVICE));
            List<String> uids = cluster.pods().stream().map(Meta::uid).toList();
            cluster.delete(DB, DeleteOptions.DEFAULT.with(Propagation.ORPHAN));
            assertThat(cluster.pods())
                    .hasSize(2)
                    .allMatch(pod -> Meta.controllerOf(pod).isEmpty());
            create(cluster, statefulSet(2, "pg", SERVICE));
            assertThat(cluster.pods().stream().map(Meta::uid)).containsExactlyElementsOf(uids);
            assertThat(cluster.pods()).allMatch(pod -> Meta.controllerOf(pod).isPresent());
        }
    }

    @Test
    void eventsTellWhatWasDone() {
        try (Cluster cluster = Cluster.ofThreeNodes()) {
            create(cluster, statefulSet(1, "pg", SERVICE, CLAIMS));
            cluster.merge(DB, replicas(0));
            assertThat(imageOf(Json.copyOf(cluster.client().get(DB), "spec", "template")))
                    .isEqualTo("pg");
            assertThat(cluster.events("StatefulSet", "db"))
                    .containsExactly(
                            "SuccessfulCreate: Create Claim data-db-0 Pod db-0 in StatefulSet db success",
                            "SuccessfulCreate: Create Pod db-0 in StatefulSet db successful",
                            "SuccessfulDelete: Delete Pod db-0 in StatefulSet db successful");
        }
    }
}
