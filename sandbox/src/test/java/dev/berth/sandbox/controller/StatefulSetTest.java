package dev.berth.sandbox.controller;

import static dev.berth.sandbox.controller.WorkloadManifests.DB;
import static dev.berth.sandbox.controller.WorkloadManifests.image;
import static dev.berth.sandbox.controller.WorkloadManifests.imageOf;
import static dev.berth.sandbox.controller.WorkloadManifests.replicas;
import static dev.berth.sandbox.controller.WorkloadManifests.statefulSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.DeleteOptions;
import dev.berth.sandbox.client.DeleteOptions.Propagation;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.kubelet.KubeletSettings;
import dev.berth.sandbox.kubelet.NodePool;
import dev.berth.sandbox.simulation.TestCluster;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.Pods;
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
    private static TestCluster slow() {
        KubeletSettings settings =
                KubeletSettings.DEFAULT.withStartTime(Duration.ofSeconds(5)).withStopTime(Duration.ofSeconds(3));
        return TestCluster.of(NodePool.of(3, "8", "32Gi", 110), settings);
    }

    private static void create(TestCluster cluster, String yaml) {
        cluster.create(yaml, RestMapping.STATEFUL_SETS);
        cluster.stepUntilIdle();
    }

    private static ObjectNode status(TestCluster cluster) {
        return NestedFields.copyOf(cluster.client().get(DB), "status");
    }

    private static String images(TestCluster cluster) {
        return String.join(
                " ", cluster.pods().stream().map(WorkloadManifests::imageOf).toList());
    }

    @Test
    void podsAreCreatedInOrderEachAfterItsPredecessorIsReady() {
        try (TestCluster cluster = slow()) {
            create(cluster, statefulSet(3, "pg", SERVICE));
            assertThat(cluster.names(RestMapping.PODS)).containsExactly("db-0");
            cluster.advance(Duration.ofSeconds(5));
            assertThat(cluster.names(RestMapping.PODS)).containsExactly("db-0", "db-1");
            assertThat(NestedFields.intValue(status(cluster), 0, "readyReplicas"))
                    .isEqualTo(1);
            cluster.advance(Duration.ofSeconds(10));
            assertThat(cluster.pods()).hasSize(3).allMatch(Pods::isReady);
            assertThat(NestedFields.intValue(status(cluster), 0, "availableReplicas"))
                    .isEqualTo(3);
        }
    }

    @Test
    void podsAreCreatedAtOnceWithParallelPodManagement() {
        try (TestCluster cluster = slow()) {
            create(cluster, statefulSet(3, "pg", SERVICE, "podManagementPolicy: Parallel"));
            assertThat(cluster.names(RestMapping.PODS)).containsExactly("db-0", "db-1", "db-2");
            cluster.advance(Duration.ofSeconds(5));
            cluster.merge(DB, replicas(1));
            assertThat(cluster.pods().stream()
                            .filter(ObjectMetaReader::isTerminating)
                            .map(ObjectMetaReader::name))
                    .containsExactly("db-1", "db-2");
        }
    }

    @Test
    void aPodHasNameIndexAndRevisionLabels() {
        try (TestCluster cluster = TestCluster.ofThreeNodes()) {
            create(cluster, statefulSet(2, "pg", SERVICE, "ordinals: {start: 5}"));
            ObjectNode pod = cluster.pod("db-6");
            assertThat(ObjectMetaReader.labels(pod))
                    .containsEntry("statefulset.kubernetes.io/pod-name", "db-6")
                    .containsEntry("apps.kubernetes.io/pod-index", "6")
                    .containsEntry("controller-revision-hash", NestedFields.text(status(cluster), "updateRevision"));
            assertThat(NestedFields.text(pod, "spec", "hostname")).isEqualTo("db-6");
            assertThat(NestedFields.text(pod, "spec", "subdomain")).isEqualTo("db");
        }
    }

    @Test
    void scalingDownDeletesOnePodAtATimeFromTheHighestOrdinal() {
        try (TestCluster cluster = slow()) {
            create(cluster, statefulSet(3, "pg", SERVICE));
            cluster.advance(Duration.ofSeconds(15));
            cluster.merge(DB, replicas(1));
            assertThat(cluster.pods().stream()
                            .filter(ObjectMetaReader::isTerminating)
                            .map(ObjectMetaReader::name))
                    .containsExactly("db-2");
            cluster.advance(Duration.ofSeconds(3));
            assertThat(cluster.pods().stream()
                            .filter(ObjectMetaReader::isTerminating)
                            .map(ObjectMetaReader::name))
                    .containsExactly("db-1");
            cluster.advance(Duration.ofSeconds(3));
            assertThat(cluster.names(RestMapping.PODS)).containsExactly("db-0");
        }
    }

    @Test
    void aRollingUpdateReplacesPodsFromTheHighestOrdinal() {
        try (TestCluster cluster = slow()) {
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
            assertThat(NestedFields.text(status(cluster), "currentRevision"))
                    .isEqualTo(NestedFields.text(status(cluster), "updateRevision"));
            assertThat(NestedFields.intValue(status(cluster), 0, "currentReplicas"))
                    .isEqualTo(3);
        }
    }

    @Test
    void podsBelowThePartitionKeepTheirRevision() {
        try (TestCluster cluster = TestCluster.ofThreeNodes()) {
            create(cluster, statefulSet(3, "pg:1", SERVICE, "updateStrategy: {rollingUpdate: {partition: 2}}"));
            cluster.merge(DB, image("pg:2"));
            assertThat(images(cluster)).isEqualTo("pg:1 pg:1 pg:2");
            cluster.delete(RestMapping.PODS.object("default", "db-0"));
            assertThat(images(cluster)).isEqualTo("pg:1 pg:1 pg:2");
            assertThat(NestedFields.intValue(status(cluster), 0, "updatedReplicas"))
                    .isEqualTo(1);
            cluster.merge(DB, "{spec: {updateStrategy: {rollingUpdate: {partition: 0}}}}");
            assertThat(images(cluster)).isEqualTo("pg:2 pg:2 pg:2");
        }
    }

    @Test
    void withOnDeleteOnlyDeletedPodsAreUpdated() {
        try (TestCluster cluster = TestCluster.ofThreeNodes()) {
            create(cluster, statefulSet(2, "pg:1", SERVICE, "updateStrategy: {type: OnDelete}"));
            cluster.merge(DB, image("pg:2"));
            assertThat(images(cluster)).isEqualTo("pg:1 pg:1");
            cluster.delete(RestMapping.PODS.object("default", "db-0"));
            assertThat(images(cluster)).isEqualTo("pg:2 pg:1");
        }
    }

    @Test
    void aRollbackMakesAnOldRevisionTheNewest() {
        try (TestCluster cluster = TestCluster.ofThreeNodes()) {
            create(cluster, statefulSet(1, "pg:1", SERVICE, "revisionHistoryLimit: 1"));
            String first = NestedFields.text(status(cluster), "updateRevision");
            cluster.merge(DB, image("pg:2"));
            cluster.merge(DB, image("pg:1"));
            assertThat(NestedFields.text(status(cluster), "updateRevision")).isEqualTo(first);
            ObjectNode revision = cluster.client().get(RestMapping.CONTROLLER_REVISIONS.object("default", first));
            assertThat(NestedFields.intValue(revision, 0, "revision")).isEqualTo(3);
            assertThat(NestedFields.text(revision, "data", "spec", "template", "$patch"))
                    .isEqualTo("replace");
            for (int i = 3; i < 7; i++) {
                cluster.merge(DB, image("pg:" + i));
            }
            assertThat(cluster.names(RestMapping.CONTROLLER_REVISIONS)).hasSize(2);
        }
    }

    @Test
    void aFailedPodIsRecreated() {
        try (TestCluster cluster = TestCluster.ofThreeNodes()) {
            create(cluster, statefulSet(2, "pg", SERVICE));
            String before = ObjectMetaReader.uid(cluster.pod("db-1"));
            cluster.merge(
                    RestMapping.PODS.object("default", "db-1"),
                    "{metadata: {annotations: {simulate.berth.dev/fail: Evicted}}}");
            assertThat(ObjectMetaReader.uid(cluster.pod("db-1"))).isNotEqualTo(before);
            assertThat(cluster.pods()).hasSize(2).allMatch(Pods::isReady);
        }
    }

    @Test
    void eachPodMountsAClaimOfItsOwnThatOutlivesIt() {
        try (TestCluster cluster = TestCluster.ofThreeNodes()) {
            create(cluster, statefulSet(2, "pg", SERVICE, CLAIMS));
            assertThat(cluster.names(RestMapping.PERSISTENT_VOLUME_CLAIMS)).containsExactly("data-db-0", "data-db-1");
            ObjectNode volume =
                    NestedFields.objects(cluster.pod("db-1"), "spec", "volumes").get(0);
            assertThat(NestedFields.text(volume, "name")).isEqualTo("data");
            assertThat(NestedFields.text(volume, "persistentVolumeClaim", "claimName"))
                    .isEqualTo("data-db-1");
            ObjectNode claim =
                    cluster.client().get(RestMapping.PERSISTENT_VOLUME_CLAIMS.object("default", "data-db-0"));
            assertThat(ObjectMetaReader.labels(claim)).containsEntry("app", "db");
            assertThat(ObjectMetaReader.ownerReferences(claim)).isEmpty();
            cluster.merge(DB, replicas(1));
            cluster.delete(DB);
            assertThat(cluster.pods()).isEmpty();
            assertThat(cluster.names(RestMapping.PERSISTENT_VOLUME_CLAIMS)).containsExactly("data-db-0", "data-db-1");
        }
    }

    @Test
    void claimsFollowTheRetentionPolicy() {
        try (TestCluster cluster = TestCluster.ofThreeNodes()) {
            String policy = "persistentVolumeClaimRetentionPolicy: {whenScaled: Delete, whenDeleted: Delete}";
            create(cluster, statefulSet(3, "pg", SERVICE, policy, CLAIMS));
            cluster.merge(DB, replicas(2));
            removeProtection(cluster);
            assertThat(cluster.names(RestMapping.PERSISTENT_VOLUME_CLAIMS)).containsExactly("data-db-0", "data-db-1");
            cluster.delete(DB);
            removeProtection(cluster);
            assertThat(cluster.names(RestMapping.PERSISTENT_VOLUME_CLAIMS)).isEmpty();
        }
    }

    /** Servers protect claims in use by a finalizer; the controller that lifts it is none of those here. */
    private static void removeProtection(TestCluster cluster) {
        for (ObjectNode claim : cluster.list(RestMapping.PERSISTENT_VOLUME_CLAIMS)) {
            if (ObjectMetaReader.isTerminating(claim)) {
                cluster.merge(
                        RestMapping.PERSISTENT_VOLUME_CLAIMS.object("default", ObjectMetaReader.name(claim)),
                        "{metadata: {finalizers: null}}");
            }
        }
    }

    @Test
    void orphanedPodsAreAdopted() {
        try (TestCluster cluster = TestCluster.ofThreeNodes()) {
            create(cluster, statefulSet(2, "pg", SERVICE));
            List<String> uids =
                    cluster.pods().stream().map(ObjectMetaReader::uid).toList();
            cluster.delete(DB, DeleteOptions.DEFAULT.withPropagation(Propagation.ORPHAN));
            assertThat(cluster.pods())
                    .hasSize(2)
                    .allMatch(pod -> ObjectMetaReader.controllerOf(pod).isEmpty());
            create(cluster, statefulSet(2, "pg", SERVICE));
            assertThat(cluster.pods().stream().map(ObjectMetaReader::uid)).containsExactlyElementsOf(uids);
            assertThat(cluster.pods())
                    .allMatch(pod -> ObjectMetaReader.controllerOf(pod).isPresent());
        }
    }

    @Test
    void eventsRecordCreatedAndDeletedPods() {
        try (TestCluster cluster = TestCluster.ofThreeNodes()) {
            create(cluster, statefulSet(1, "pg", SERVICE, CLAIMS));
            cluster.merge(DB, replicas(0));
            assertThat(imageOf(NestedFields.copyOf(cluster.client().get(DB), "spec", "template")))
                    .isEqualTo("pg");
            assertThat(cluster.events("StatefulSet", "db"))
                    .containsExactly(
                            "SuccessfulCreate: Create Claim data-db-0 Pod db-0 in StatefulSet db success",
                            "SuccessfulCreate: Create Pod db-0 in StatefulSet db successful",
                            "SuccessfulDelete: Delete Pod db-0 in StatefulSet db successful");
        }
    }
}
