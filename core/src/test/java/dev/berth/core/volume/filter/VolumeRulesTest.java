package dev.berth.core.volume.filter;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static dev.berth.core.volume.ClaimBuilder.aClaim;
import static dev.berth.core.volume.VolumeBuilder.aVolume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodVolumes.Disk;
import dev.berth.core.cluster.PodVolumes.DiskKind;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.volume.ClaimBuilder;
import dev.berth.core.volume.CsiDriver;
import dev.berth.core.volume.CsiNode;
import dev.berth.core.volume.InTreePlugin;
import dev.berth.core.volume.Storage;
import dev.berth.core.volume.StorageClass;
import dev.berth.core.volume.VolumeBuilder;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rules about volumes that random histories do not reach. */
class VolumeRulesTest {
    private static final String FULL = "node(s) exceed max volume count";

    private final Ledger ledger = new Ledger();
    private final Storage storage = new Storage();
    private final Mentions mentions = new Mentions(ledger);
    private final VolumeCheck check =
            new VolumeCheck(ledger, storage, Assumed.NOTHING, mentions, Set.of("default-scheduler"));

    @BeforeEach
    void oneNode() {
        ledger.put(aNode("n").with("8 cpu").inZone("a").build());
    }

    @Test
    void disksNamedInPodsCountAsTheirDriversSuccessorsKnowThem() {
        storage.put(new CsiNode("n", "csi", Map.of("ebs.csi.aws.com", 1L), Set.of()));
        there(aPod("a")
                .mounting(new Disk(DiskKind.AWS_EBS, "vol-1", List.of(), false))
                .on("n"));
        assertThat(words(aPod("p").mounting(new Disk(DiskKind.AWS_EBS, "vol-2", List.of(), false))))
                .containsExactly(FULL);
        assertThat(words(aPod("p").mounting(new Disk(DiskKind.CINDER, "vol-2", List.of(), false))))
                .isEmpty();
        storage.put(new CsiNode("n", "csi", Map.of("ebs.csi.aws.com", 2L), Set.of()));
        assertThat(words(aPod("p").mounting(new Disk(DiskKind.AWS_EBS, "aws://zone/vol-2", List.of(), false))))
                .isEmpty();
    }

    @Test
    void aVolumeOfAFormerPluginCountsForItsSuccessor() {
        storage.put(new CsiNode("n", "csi", Map.of("pd.csi.storage.gke.io", 0L), Set.of()));
        seen(aClaim("data").boundTo("v"));
        seen(aVolume("v").succeeding(InTreePlugin.GCE_PD, "topology.gke.io/zone", "a"));
        assertThat(words(aPod("p").mounting("data"))).containsExactly(FULL);
    }

    @Test
    void whereADriverIsInChargeItsOwnLabelsDecideOnTheVolumesReach() {
        seen(aClaim("data").boundTo("v"));
        seen(aVolume("v").where("old", "x").succeeding(InTreePlugin.GCE_PD, "topology.gke.io/zone", "a"));
        ledger.put(
                aNode("n").with("8 cpu").labelled("topology.gke.io/zone", "a").build());
        assertThat(words(aPod("p").mounting("data")))
                .containsExactly("node(s) didn't match PersistentVolume's node affinity");
        storage.put(new CsiNode("n", "csi", Map.of(), Set.of("kubernetes.io/gce-pd")));
        assertThat(words(aPod("p").mounting("data"))).isEmpty();
    }

    @Test
    void theSmallestVolumeThatFitsIsTakenAndTheFirstByNameOfEquals() {
        storage.put(new StorageClass("local", "c", "kubernetes.io/no-provisioner", true, List.of()));
        seen(aVolume("large").of("local").sized("9Gi"));
        seen(aVolume("b").of("local").sized("2Gi").on("n"));
        seen(aVolume("c").of("local").sized("2Gi"));
        seen(aVolume("small").of("local").sized("1Gi"));
        seen(aClaim("data").of("local").asking("1500Mi"));
        Pod pod = aPod("p").mounting("data").build();
        assertThat(check.plan(pod, ledger.node("n").orElseThrow().node()).matches())
                .singleElement()
                .matches(match -> match.volume().name().equals("b"));
    }

    @Test
    void severalClaimsOfAPodGetAVolumeEachTheSmallestFirst() {
        storage.put(new StorageClass("local", "c", "kubernetes.io/no-provisioner", true, List.of()));
        seen(aVolume("v2").of("local").sized("2Gi"));
        seen(aVolume("v5").of("local").sized("5Gi"));
        seen(aClaim("large").of("local").asking("2Gi"));
        seen(aClaim("small").of("local").asking("1Gi"));
        Pod pod =
                aPod("p").mounting("large").mounting("small").mounting("small").build();
        assertThat(check.plan(pod, ledger.node("n").orElseThrow().node()).matches())
                .extracting(match ->
                        match.claim().key().name() + " " + match.volume().name())
                .containsExactly("small v2", "large v5");
    }

    @Test
    void ofTwoClaimsThatAreToBeMadeHereThePodsFirstIsTheOneThatIsNamed() {
        storage.put(new StorageClass("local", "c", "kubernetes.io/no-provisioner", true, List.of()));
        storage.put(new StorageClass("made", "m", "disks.example.com", true, List.of()));
        storage.put(new CsiDriver("disks.example.com", "driver", true));
        seen(aClaim("large").of("made").asking("2Gi").selectedFor("n"));
        seen(aClaim("small").of("local").asking("1Gi").selectedFor("n"));
        assertThat(words(aPod("p").mounting("large").mounting("small")))
                .containsExactly("node(s) did not have enough free storage");
        assertThat(words(aPod("p").mounting("small").mounting("large")))
                .containsExactly("node(s) didn't find available persistent volumes to bind");
    }

    @Test
    void aNodeIsAskedAsItWouldBeWithoutTheOneWhoHasTheClaim() {
        seen(aClaim("data").inModes("ReadWriteOncePod").boundTo("v"));
        seen(aVolume("v"));
        there(aPod("first").mounting("data").on("n"));
        Pod second = aPod("second").mounting("data").build();
        assertThat(check.vetoes(second, ledger.node("n").orElseThrow())).isNotEmpty();
        Ledger without = new Ledger();
        without.put(aNode("n").with("8 cpu").build());
        assertThat(check.vetoes(second, without.node("n").orElseThrow())).isEmpty();
    }

    private void seen(ClaimBuilder claim) {
        storage.put(claim.build());
    }

    private void seen(VolumeBuilder volume) {
        storage.put(volume.build());
    }

    private void there(PodBuilder pod) {
        ledger.put(pod.build());
        mentions.add(pod.build());
    }

    private List<String> words(PodBuilder pod) {
        return check.vetoes(pod.build(), ledger.node("n").orElseThrow()).stream()
                .map(Veto::words)
                .toList();
    }
}
