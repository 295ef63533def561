package dev.berth.app.scenario.preemption;

import static dev.berth.app.scenario.preemption.Ranks.assertGone;
import static dev.berth.app.scenario.preemption.Ranks.assertStays;
import static dev.berth.app.scenario.preemption.Ranks.come;
import static dev.berth.app.scenario.preemption.Ranks.ranked;
import static dev.berth.app.scenario.stage.NodeText.aNode;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.scenario.stage.PodText;
import dev.berth.app.scenario.stage.Scene;
import dev.berth.testkit.contract.Eventually;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Claims that one pod alone may use, and volumes that do not come when the room is there. */
interface ForTheirStorage {
    String CLAIMS = "/api/v1/namespaces/scene/persistentvolumeclaims";
    String VOLUMES = "/api/v1/persistentvolumes";
    String SELECTED = "volume.kubernetes.io/selected-node";

    @Test
    default void whoAloneMayUseAClaimGivesItUp(Scene scene) {
        soleClaims(scene, "data");
        using(scene, "user", "data");

        come(scene, mounting("vip", "high", "data"));
        assertThat(scene.nodeOf("vip")).isEqualTo("n");
        assertGone(scene, "user");
        assertStays(scene, "bystander");
    }

    @Test
    default void twoGoWhereEachHasAClaimThatIsNeeded(Scene scene) {
        soleClaims(scene, "data", "logs");
        using(scene, "one", "data");
        using(scene, "other", "logs");

        come(scene, mounting("vip", "high", "data", "logs"));
        assertThat(scene.nodeOf("vip")).isEqualTo("n");
        assertGone(scene, "one");
        assertGone(scene, "other");
        assertStays(scene, "bystander");
    }

    @Test
    default void oneGoesWhereItHasBothClaimsThatAreNeeded(Scene scene) {
        soleClaims(scene, "data", "logs");
        using(scene, "user", "data", "logs");

        come(scene, mounting("vip", "high", "data", "logs"));
        assertThat(scene.nodeOf("vip")).isEqualTo("n");
        assertGone(scene, "user");
        assertStays(scene, "bystander");
    }

    /** Whoever should make the volume says that it cannot be on that node, and then can. */
    @Test
    default void whoseVolumeDoesNotComeAtFirstHasItsPlaceLaterAndNobodyElseHasToGo(Scene scene) {
        Ranks.make(scene);
        scene.nodes(aNode("n").offering("cpu=2"));
        scene.object("/apis/storage.k8s.io/v1/storageclasses", """
                metadata: {name: made}
                provisioner: nobody.example.com
                volumeBindingMode: WaitForFirstConsumer
                """);
        scene.object(CLAIMS, """
                metadata: {name: data}
                spec: {accessModes: [ReadWriteOnce], storageClassName: made, resources: {requests: {storage: 1Gi}}}
                """);
        come(
                scene,
                ranked("bystander", "middle", "1").on("n"),
                ranked("filler", "low", "1").on("n"));
        come(scene, mounting("vip", "high", "data"));
        awaitPromised(scene);

        scene.patch(CLAIMS + "/data", "metadata: {annotations: {%s: null}}".formatted(SELECTED));
        awaitPromised(scene);
        Ranks.assertUnbound(scene, "vip");
        volume(scene, "disk", "data", "made", "ReadWriteOnce");
        assertThat(scene.nodeOf("vip")).isEqualTo("n");
        assertGone(scene, "filler");
        assertStays(scene, "bystander");
    }

    private static void awaitPromised(Scene scene) {
        Eventually.holds(() -> assertThat(scene.api()
                        .get(CLAIMS + "/data")
                        .at("/metadata/annotations/volume.kubernetes.io~1selected-node"))
                .isEqualTo("n"));
    }

    private static void soleClaims(Scene scene, String... claims) {
        Ranks.make(scene);
        scene.nodes(aNode("n"));
        for (String claim : claims) {
            scene.object(CLAIMS, """
                    metadata: {name: %s}
                    spec:
                      accessModes: [ReadWriteOncePod]
                      storageClassName: ""
                      resources: {requests: {storage: 1Gi}}
                    """.formatted(claim));
            volume(scene, "disk-" + claim, claim, "", "ReadWriteOncePod");
        }
        come(scene, ranked("bystander", "low", "1").on("n"));
    }

    /** By its UID the controllers look at a claim that names no volume at once, and not with all others later. */
    private static void volume(Scene scene, String name, String claim, String storageClass, String mode) {
        String uid = scene.api().get(CLAIMS + "/" + claim).expect(200).uid();
        scene.object(VOLUMES, """
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
    private static void using(Scene scene, String pod, String... claims) {
        come(scene, mounting(pod, "low", claims));
        assertThat(scene.nodeOf(pod)).isEqualTo("n");
    }

    private static PodText mounting(String name, String rank, String... claims) {
        String volumes = Arrays.stream(claims)
                .map(claim -> "{name: %1$s, persistentVolumeClaim: {claimName: %1$s}}".formatted(claim))
                .collect(Collectors.joining(", "));
        return ranked(name, rank, "1").spec("volumes: [%s]".formatted(volumes));
    }
}
