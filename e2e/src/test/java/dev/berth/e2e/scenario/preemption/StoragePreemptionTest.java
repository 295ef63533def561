package dev.berth.e2e.scenario.preemption;

import static dev.berth.e2e.scenario.preemption.PreemptionPods.assertGone;
import static dev.berth.e2e.scenario.preemption.PreemptionPods.assertNotTerminating;
import static dev.berth.e2e.scenario.preemption.PreemptionPods.createPods;
import static dev.berth.e2e.scenario.preemption.PreemptionPods.podOfPriority;
import static dev.berth.e2e.scenario.testcluster.NodeManifest.aNode;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.scenario.testcluster.PodManifest;
import dev.berth.e2e.scenario.testcluster.Scenario;
import dev.berth.e2e.scenario.testcluster.TestClusterExtension;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Claims that one pod alone may use, and volumes that do not come when the room is there. */
@OnRealControlPlane
@OnStages({Stage.REAL, Stage.KUBE_SCHEDULER})
@ExtendWith(TestClusterExtension.class)
@Timeout(180)
final class StoragePreemptionTest {
    private static final String CLAIMS = "/api/v1/namespaces/scene/persistentvolumeclaims";
    private static final String VOLUMES = "/api/v1/persistentvolumes";
    private static final String SELECTED = "volume.kubernetes.io/selected-node";

    @Test
    void aPodThatUsesAReadWriteOncePodClaimIsPreempted(Scenario scenario) {
        soleClaims(scenario, "data");
        using(scenario, "user", "data");

        createPods(scenario, mounting("vip", "high", "data"));
        assertThat(scenario.nodeOf("vip")).isEqualTo("n");
        assertGone(scenario, "user");
        assertNotTerminating(scenario, "bystander");
    }

    @Test
    void twoPodsArePreemptedIfEachUsesANeededClaim(Scenario scenario) {
        soleClaims(scenario, "data", "logs");
        using(scenario, "one", "data");
        using(scenario, "other", "logs");

        createPods(scenario, mounting("vip", "high", "data", "logs"));
        assertThat(scenario.nodeOf("vip")).isEqualTo("n");
        assertGone(scenario, "one");
        assertGone(scenario, "other");
        assertNotTerminating(scenario, "bystander");
    }

    @Test
    void onePodIsPreemptedIfItUsesBothNeededClaims(Scenario scenario) {
        soleClaims(scenario, "data", "logs");
        using(scenario, "user", "data", "logs");

        createPods(scenario, mounting("vip", "high", "data", "logs"));
        assertThat(scenario.nodeOf("vip")).isEqualTo("n");
        assertGone(scenario, "user");
        assertNotTerminating(scenario, "bystander");
    }

    /** Whoever should make the volume says that it cannot be on that node, and then can. */
    @Test
    void aPreemptorWhoseVolumeIsProvisionedLateKeepsItsNodeAndNoOtherPodIsPreempted(Scenario scenario) {
        PreemptionPods.createPriorityClasses(scenario);
        scenario.nodes(aNode("n").offering("cpu=2"));
        scenario.object("/apis/storage.k8s.io/v1/storageclasses", """
                metadata: {name: made}
                provisioner: nobody.example.com
                volumeBindingMode: WaitForFirstConsumer
                """);
        scenario.object(CLAIMS, """
                metadata: {name: data}
                spec: {accessModes: [ReadWriteOnce], storageClassName: made, resources: {requests: {storage: 1Gi}}}
                """);
        createPods(
                scenario,
                podOfPriority("bystander", "middle", "1").on("n"),
                podOfPriority("filler", "low", "1").on("n"));
        createPods(scenario, mounting("vip", "high", "data"));
        awaitSelectedNode(scenario);

        scenario.patch(CLAIMS + "/data", "metadata: {annotations: {%s: null}}".formatted(SELECTED));
        awaitSelectedNode(scenario);
        PreemptionPods.assertUnbound(scenario, "vip");
        volume(scenario, "disk", "data", "made", "ReadWriteOnce");
        assertThat(scenario.nodeOf("vip")).isEqualTo("n");
        assertGone(scenario, "filler");
        assertNotTerminating(scenario, "bystander");
    }

    private static void awaitSelectedNode(Scenario scenario) {
        Eventually.holds(() -> assertThat(scenario.api()
                        .get(CLAIMS + "/data")
                        .at("/metadata/annotations/volume.kubernetes.io~1selected-node"))
                .isEqualTo("n"));
    }

    private static void soleClaims(Scenario scenario, String... claims) {
        PreemptionPods.createPriorityClasses(scenario);
        scenario.nodes(aNode("n"));
        for (String claim : claims) {
            scenario.object(CLAIMS, """
                    metadata: {name: %s}
                    spec:
                      accessModes: [ReadWriteOncePod]
                      storageClassName: ""
                      resources: {requests: {storage: 1Gi}}
                    """.formatted(claim));
            volume(scenario, "disk-" + claim, claim, "", "ReadWriteOncePod");
        }
        createPods(scenario, podOfPriority("bystander", "low", "1").on("n"));
    }

    /** By its UID the controllers look at a claim that names no volume at once, and not with all others later. */
    private static void volume(Scenario scenario, String name, String claim, String storageClass, String mode) {
        String uid = scenario.api().get(CLAIMS + "/" + claim).expect(200).uid();
        scenario.object(VOLUMES, """
                metadata: {name: %1$s}
                spec:
                  capacity: {storage: 5Gi}
                  accessModes: [%4$s]
                  persistentVolumeReclaimPolicy: Retain
                  storageClassName: "%3$s"
                  csi: {driver: disks.example.com, volumeHandle: %1$s}
                  claimRef: {namespace: scene, name: %2$s, uid: %5$s}
                """.formatted(name, claim, storageClass, mode, uid));
    }

    /** A pod of a low rank that has its place: its claims are bound then, and the scheduler knows. */
    private static void using(Scenario scenario, String pod, String... claims) {
        createPods(scenario, mounting(pod, "low", claims));
        assertThat(scenario.nodeOf(pod)).isEqualTo("n");
    }

    private static PodManifest mounting(String name, String rank, String... claims) {
        String volumes = Arrays.stream(claims)
                .map(claim -> "{name: %1$s, persistentVolumeClaim: {claimName: %1$s}}".formatted(claim))
                .collect(Collectors.joining(", "));
        return podOfPriority(name, rank, "1").spec("volumes: [%s]".formatted(volumes));
    }
}
