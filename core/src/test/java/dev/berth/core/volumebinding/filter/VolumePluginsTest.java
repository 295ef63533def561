package dev.berth.core.volumebinding.filter;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static dev.berth.core.volumebinding.PersistentVolumeBuilder.aVolume;
import static dev.berth.core.volumebinding.PersistentVolumeClaimBuilder.aClaim;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodVolumes.Disk;
import dev.berth.core.cluster.PodVolumes.DiskKind;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.filter.CycleState;
import dev.berth.core.placement.filter.HoldVisibility;
import dev.berth.core.placement.filter.RequiredNodeNames;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.volumebinding.CsiDriver;
import dev.berth.core.volumebinding.CsiNode;
import dev.berth.core.volumebinding.InTreePlugin;
import dev.berth.core.volumebinding.PersistentVolumeBuilder;
import dev.berth.core.volumebinding.PersistentVolumeClaimBuilder;
import dev.berth.core.volumebinding.StorageClass;
import dev.berth.core.volumebinding.StorageIndex;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rules about volumes that random histories do not reach. */
class VolumePluginsTest {
    private static final String FULL = "node(s) exceed max volume count";

    private final Ledger ledger = new Ledger();
    private final StorageIndex storageIndex = new StorageIndex();
    private final VolumeClaimUsers volumeClaimUsers = new VolumeClaimUsers(ledger);
    private final VolumePlugins check =
            new VolumePlugins(ledger, storageIndex, AssumedVolumes.NONE, volumeClaimUsers, Set.of("default-scheduler"));

    @BeforeEach
    void oneNode() {
        ledger.put(aNode("n").with("8 cpu").inZone("a").build());
    }

    @Test
    void inlineDisksCountTowardsTheLimitOfTheirCsiDriver() {
        storageIndex.put(new CsiNode("n", "csi", Map.of("ebs.csi.aws.com", 1L), Set.of()));
        addPod(aPod("a")
                .mounting(new Disk(DiskKind.AWS_EBS, "vol-1", List.of(), false))
                .on("n"));
        assertThat(messages(aPod("p").mounting(new Disk(DiskKind.AWS_EBS, "vol-2", List.of(), false))))
                .containsExactly(FULL);
        assertThat(messages(aPod("p").mounting(new Disk(DiskKind.CINDER, "vol-2", List.of(), false))))
                .isEmpty();
        storageIndex.put(new CsiNode("n", "csi", Map.of("ebs.csi.aws.com", 2L), Set.of()));
        assertThat(messages(aPod("p").mounting(new Disk(DiskKind.AWS_EBS, "aws://zone/vol-2", List.of(), false))))
                .isEmpty();
    }

    @Test
    void aVolumeOfAnInTreePluginCountsForItsCsiDriver() {
        storageIndex.put(new CsiNode("n", "csi", Map.of("pd.csi.storage.gke.io", 0L), Set.of()));
        upsert(aClaim("data").boundTo("v"));
        upsert(aVolume("v").migratedFrom(InTreePlugin.GCE_PD, "topology.gke.io/zone", "a"));
        assertThat(messages(aPod("p").mounting("data"))).containsExactly(FULL);
    }

    @Test
    void aMigratedVolumeIsReachableByTheCsiDriversTopologyLabels() {
        upsert(aClaim("data").boundTo("v"));
        upsert(aVolume("v").where("old", "x").migratedFrom(InTreePlugin.GCE_PD, "topology.gke.io/zone", "a"));
        ledger.put(
                aNode("n").with("8 cpu").labelled("topology.gke.io/zone", "a").build());
        assertThat(messages(aPod("p").mounting("data")))
                .containsExactly("node(s) didn't match PersistentVolume's node affinity");
        storageIndex.put(new CsiNode("n", "csi", Map.of(), Set.of("kubernetes.io/gce-pd")));
        assertThat(messages(aPod("p").mounting("data"))).isEmpty();
    }

    @Test
    void theSmallestVolumeThatFitsIsTakenAndTheFirstByNameOfEquals() {
        storageIndex.put(new StorageClass("local", "c", "kubernetes.io/no-provisioner", true, List.of()));
        upsert(aVolume("large").ofClass("local").sized("9Gi"));
        upsert(aVolume("b").ofClass("local").sized("2Gi").on("n"));
        upsert(aVolume("c").ofClass("local").sized("2Gi"));
        upsert(aVolume("small").ofClass("local").sized("1Gi"));
        upsert(aClaim("data").ofClass("local").asking("1500Mi"));
        Pod pod = aPod("p").mounting("data").build();
        assertThat(check.plan(pod, ledger.node("n").orElseThrow().node()).staticBindings())
                .singleElement()
                .matches(match -> match.volume().name().equals("b"));
    }

    @Test
    void severalClaimsOfAPodGetAVolumeEachTheSmallestFirst() {
        storageIndex.put(new StorageClass("local", "c", "kubernetes.io/no-provisioner", true, List.of()));
        upsert(aVolume("v2").ofClass("local").sized("2Gi"));
        upsert(aVolume("v5").ofClass("local").sized("5Gi"));
        upsert(aClaim("large").ofClass("local").asking("2Gi"));
        upsert(aClaim("small").ofClass("local").asking("1Gi"));
        Pod pod =
                aPod("p").mounting("large").mounting("small").mounting("small").build();
        assertThat(check.plan(pod, ledger.node("n").orElseThrow().node()).staticBindings())
                .extracting(match ->
                        match.claim().key().name() + " " + match.volume().name())
                .containsExactly("small v2", "large v5");
    }

    @Test
    void ofTwoClaimsSelectedForTheNodeThePodsFirstIsReported() {
        storageIndex.put(new StorageClass("local", "c", "kubernetes.io/no-provisioner", true, List.of()));
        storageIndex.put(new StorageClass("made", "m", "disks.example.com", true, List.of()));
        storageIndex.put(new CsiDriver("disks.example.com", "driver", true));
        upsert(aClaim("large").ofClass("made").asking("2Gi").withSelectedNode("n"));
        upsert(aClaim("small").ofClass("local").asking("1Gi").withSelectedNode("n"));
        assertThat(messages(aPod("p").mounting("large").mounting("small")))
                .containsExactly("node(s) did not have enough free storage");
        assertThat(messages(aPod("p").mounting("small").mounting("large")))
                .containsExactly("node(s) didn't find available persistent volumes to bind");
    }

    @Test
    void aClaimInUseIsFreeOnANodeSimulatedWithoutItsUser() {
        upsert(aClaim("data").withAccessModes("ReadWriteOncePod").boundTo("v"));
        upsert(aVolume("v"));
        addPod(aPod("first").mounting("data").on("n"));
        Pod second = aPod("second").mounting("data").build();
        assertThat(vetoes(second, ledger.node("n").orElseThrow())).isNotEmpty();
        Ledger without = new Ledger();
        without.put(aNode("n").with("8 cpu").build());
        assertThat(vetoes(second, without.node("n").orElseThrow())).isEmpty();
    }

    private void upsert(PersistentVolumeClaimBuilder claim) {
        storageIndex.put(claim.build());
    }

    private void upsert(PersistentVolumeBuilder volume) {
        storageIndex.put(volume.build());
    }

    private void addPod(PodBuilder pod) {
        ledger.put(pod.build());
        volumeClaimUsers.add(pod.build());
    }

    private List<String> messages(PodBuilder pod) {
        return vetoes(pod.build(), ledger.node("n").orElseThrow()).stream()
                .map(Veto::message)
                .toList();
    }

    private List<Veto> vetoes(Pod pod, NodeState state) {
        return check.vetoes(
                new CycleState(
                        pod,
                        RequiredNodeNames.UNRESTRICTED,
                        new HoldVisibility(
                                ledger.rulesAdmitting(pod),
                                pod.spec().reservations().ignored())),
                state,
                Optional.empty());
    }
}
