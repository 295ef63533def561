package dev.berth.core.volume.binding;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static dev.berth.core.volume.ClaimBuilder.aClaim;
import static dev.berth.core.volume.VolumeBuilder.aVolume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Phase;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Outcome;
import dev.berth.core.queue.Standing;
import dev.berth.core.volume.StorageClass;
import dev.berth.core.volume.VolumeWrite;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class VolumeDoorTest {
    private static final String RUNNING = "running PreBind plugin \"VolumeBinding\": binding volumes: ";

    private final Scene scene = new Scene();
    private int denied;

    @BeforeEach
    void twoNodesAndTwoClasses() {
        scene.seen(new StorageClass("local", "class-local", "kubernetes.io/no-provisioner", true, List.of()));
        scene.seen(new StorageClass("made", "class-made", "disks.example.com", true, List.of()));
        scene.seen(aNode("n1").with("4 cpu")).seen(aNode("n2").with("4 cpu"));
    }

    @Test
    void aPodIsBoundOnlyAfterItsVolumeIs() {
        scene.seen(aVolume("v").of("local").on("n2"));
        scene.seen(aClaim("data").of("local")).seen(aPod("p").mounting("data")).run();

        assertThat(scene.bound).isEmpty();
        assertThat(scene.isAssumed("p")).isTrue();
        assertThat(scene.sent)
                .containsExactly(new VolumeWrite.Reserve(
                        "v",
                        "volume-v",
                        scene.volume("v").version(),
                        scene.claim("data").ref(),
                        scene.claim("data").version(),
                        true));
        scene.carryOut();
        assertThat(scene.bound).isEmpty();
        scene.controllerBinds("v");
        assertThat(scene.bound).containsEntry("p", "n2");
        assertThat(scene.isAssumed("p")).isTrue();
    }

    @Test
    void aPodWhoseVolumesAreThereWaitsForNothing() {
        scene.seen(aClaim("data").of("local").boundTo("v"));
        scene.seen(aVolume("v").of("local").on("n2").boundTo(scene.claim("data")));
        scene.seen(aPod("p").mounting("data")).run();
        assertThat(scene.bound).containsEntry("p", "n2");
        assertThat(scene.sent).isEmpty();
    }

    @Test
    void aVolumeIsMadeWhereThePodGoes() {
        scene.seen(aClaim("data").of("made")).seen(aPod("p").mounting("data")).run();
        VolumeWrite.SelectNode select = (VolumeWrite.SelectNode) scene.sent.get(0);
        assertThat(select.claim()).isEqualTo(scene.claim("data").key());
        scene.carryOut();
        assertThat(scene.claim("data").state().selectedNode()).contains(select.node());
        scene.provisionerMakes(aVolume("v").of("made").on(select.node()), "data");
        assertThat(scene.bound).containsEntry("p", select.node());
    }

    @Test
    void whereAVolumeCannotBeMadeThePodIsPlacedAnew() {
        scene.seen(aClaim("data").of("made"))
                .seen(aPod("p").mounting("data"))
                .run()
                .carryOut();
        scene.provisionerGivesUp("data");
        assertThat(scene.told).containsExactly(RUNNING + "provisioning failed for PVC \"data\"");
        assertThat(scene.isAssumed("p")).isFalse();
        assertThat(scene.standing("p")).isEqualTo(Standing.BACKING_OFF);
        scene.advance(Duration.ofSeconds(2));
        assertThat(scene.sent).hasSize(1);
    }

    @Test
    void nobodyElseGetsAVolumeThatIsMeantForAPod() {
        scene.seen(aVolume("v").of("local").on("n1"));
        scene.seen(aClaim("one").of("local")).seen(aClaim("two").of("local"));
        scene.seen(aPod("p").mounting("one")).run();
        scene.seen(aPod("q").mounting("two")).run();
        assertThat(scene.sent).hasSize(1);
        assertThat(scene.told)
                .containsExactly(
                        "0/2 nodes are available: 2 node(s) didn't find available persistent volumes to bind.");
        assertThat(scene.standing("q")).isEqualTo(Standing.WAITING);
    }

    @Test
    void aVolumeIsFreeAgainWhenThePodIsDeleted() {
        scene.seen(aVolume("v").of("local").on("n1"));
        scene.seen(aClaim("one").of("local")).seen(aClaim("two").of("local"));
        scene.seen(aPod("p").mounting("one")).run();
        scene.seen(aPod("q").mounting("two")).run();
        scene.sent.clear();
        scene.gone("p").advance(Duration.ofSeconds(20));
        assertThat(scene.standing("q")).isEqualTo(Standing.IN_FLIGHT);
        assertThat(scene.isAssumed("q")).isTrue();
    }

    @Test
    void aWriteThatIsOnItsWayForADeletedPodKeepsTheNextOneWaiting() {
        scene.seen(aVolume("v").of("local").on("n1"));
        scene.seen(aClaim("one").of("local")).seen(aClaim("two").of("local"));
        scene.seen(aPod("p").mounting("one")).run();
        VolumeWrite first = (VolumeWrite) scene.sent.remove(0);
        scene.gone("p").seen(aPod("q").mounting("two")).run();
        assertThat(scene.sent).isEmpty();
        scene.decider.written(first, scene.apply(first), scene.now);
        scene.run();
        assertThat(scene.told).containsExactly(RUNNING + "ClaimRef got reset for pv \"v\"");
        assertThat(scene.isAssumed("q")).isFalse();
        assertThat(scene.volume("v").state().claim())
                .contains(scene.claim("one").ref());
    }

    @Test
    void aPodThatIsDeletedWhileItWaitsGivesItsPlaceBack() {
        scene.seen(aVolume("v").of("local").on("n1"));
        scene.seen(aClaim("data").of("local")).seen(aPod("p").mounting("data")).run();
        scene.seen(aPod("p").mounting("data").terminating()).run();
        assertThat(scene.isAssumed("p")).isFalse();
        scene.carryOut().controllerBinds("v");
        assertThat(scene.bound).isEmpty();
        assertThat(scene.told).isEmpty();
    }

    @Test
    void aPodThatSomebodyElseBindsIsNotBoundAgain() {
        scene.seen(aVolume("v").of("local").on("n1"));
        scene.seen(aClaim("data").of("local")).seen(aPod("p").mounting("data")).run();
        scene.seen(aPod("p").mounting("data").on("n2")).run().carryOut().controllerBinds("v");
        assertThat(scene.bound).isEmpty();
    }

    @Test
    void aPodWaitsNoLongerForANodeThatIsGone() {
        scene.seen(aVolume("v").of("local").on("n1"));
        scene.seen(aClaim("data").of("local")).seen(aPod("p").mounting("data")).run();
        scene.nodeGone("n1").run();
        assertThat(scene.isAssumed("p")).isFalse();
        assertThat(scene.told).containsExactly(RUNNING + "failed to get node \"n1\"");
    }

    @Test
    void whoeverWaitsTenMinutesIsPlacedAnew() {
        scene.seen(aVolume("v").of("local").on("n1"));
        scene.seen(aClaim("data").of("local"))
                .seen(aPod("p").mounting("data"))
                .run()
                .carryOut();
        assertThat(scene.decider.nextWake()).contains(scene.now.plus(Duration.ofMinutes(10)));
        scene.advance(Duration.ofSeconds(599));
        assertThat(scene.isAssumed("p")).isTrue();
        scene.advance(Duration.ofSeconds(1));
        assertThat(scene.told).containsExactly(RUNNING + "context deadline exceeded");
        assertThat(scene.isAssumed("p")).isFalse();
        scene.advance(Duration.ofSeconds(2)).controllerBinds("v");
        assertThat(scene.bound).containsEntry("p", "n1");
    }

    @Test
    void aChangeThatCrossesTheWriteCostsAnotherTryAndNothingElse() {
        scene.seen(aVolume("v").of("local").on("n1"));
        scene.seen(aClaim("data").of("local")).seen(aPod("p").mounting("data")).run();
        scene.seen(aVolume("v").of("local").on("n1").labelled("colour", "blue"));
        scene.carryOut();
        assertThat(scene.sent).hasSize(1);
        scene.carryOut().controllerBinds("v");
        assertThat(scene.bound).containsEntry("p", "n1");
        assertThat(scene.told).isEmpty();
    }

    @Test
    void nothingIsSentAgainBeforeTheAnswerShows() {
        scene.seen(aVolume("v").of("local").on("n1"));
        scene.seen(aClaim("data").of("local")).seen(aPod("p").mounting("data")).run();
        VolumeWrite write = (VolumeWrite) scene.sent.remove(0);
        scene.decider.written(write, new Outcome(Outcome.Kind.CONFLICT, "modified"), scene.now);
        scene.run();
        assertThat(scene.sent).isEmpty();
        // It was written after all, and the answer to the first try had been lost.
        scene.apply(write);
        scene.run().controllerBinds("v");
        assertThat(scene.bound).containsEntry("p", "n1");
    }

    @Test
    void aConflictAfterWhichNothingShowsCostsSecondsAndNotThePlace() {
        scene.seen(aVolume("v").of("local").on("n1"));
        scene.seen(aClaim("data").of("local")).seen(aPod("p").mounting("data")).run();
        VolumeWrite write = (VolumeWrite) scene.sent.remove(0);
        scene.decider.written(write, new Outcome(Outcome.Kind.CONFLICT, "somebody was quicker"), scene.now);
        scene.run();
        assertThat(scene.decider.nextWake()).contains(scene.now.plus(Duration.ofSeconds(1)));
        scene.advance(Duration.ofSeconds(1));
        assertThat(scene.sent).containsExactly(write);
        scene.carryOut().controllerBinds("v");
        assertThat(scene.bound).containsEntry("p", "n1");
        assertThat(scene.told).isEmpty();
    }

    @Test
    void aWriteThatIsRefusedIsTold() {
        scene.seen(aVolume("v").of("local").on("n1"));
        scene.seen(aClaim("data").of("local")).seen(aPod("p").mounting("data")).run();
        VolumeWrite write = (VolumeWrite) scene.sent.remove(0);
        scene.decider.written(write, new Outcome(Outcome.Kind.DENIED, "forbidden"), scene.now);
        scene.run();
        assertThat(scene.told).containsExactly(RUNNING + "forbidden");
        assertThat(scene.isAssumed("p")).isFalse();
    }

    @Test
    void aWriteThatWasDeniedIsTriedAgainAndKeepsNoPlaceMeanwhile() {
        scene.seen(aVolume("v").of("local").on("n1"));
        scene.seen(aClaim("data").of("local")).seen(aPod("p").mounting("data")).run();
        for (int i = 0; i < 40; i++) {
            scene.sent.forEach(write -> scene.decider.written(
                    (VolumeWrite) write, new Outcome(Outcome.Kind.DENIED, "forbidden"), scene.now));
            denied += scene.sent.size();
            scene.sent.clear();
            scene.advance(Duration.ofSeconds(10));
            assertThat(scene.isAssumed("p")).isEqualTo(!scene.sent.isEmpty());
        }
        assertThat(denied).isBetween(6, 14);
        for (int i = 0; i < 20 && scene.bound.isEmpty(); i++) {
            scene.carryOut().advance(Duration.ofSeconds(10));
            if (scene.volume("v").state().claim().isPresent()) {
                scene.controllerBinds("v");
            }
        }
        assertThat(scene.bound).containsEntry("p", "n1");
    }

    @Test
    void aWriteWhoseEchoNeverComesIsTriedAgain() {
        scene.seen(aVolume("v").of("local").on("n1"));
        scene.seen(aClaim("data").of("local")).seen(aPod("p").mounting("data")).run();
        VolumeWrite write = (VolumeWrite) scene.sent.remove(0);
        scene.decider.written(write, Outcome.WRITTEN, scene.now);
        scene.run();
        assertThat(scene.sent).isEmpty();
        scene.advance(Duration.ofSeconds(10));
        assertThat(scene.sent).containsExactly(write);
    }

    @Test
    void twoPodsThatMountOneClaimShareItsVolume() {
        scene.seen(aVolume("v").of("local").on("n2"));
        scene.seen(aClaim("data").of("local"));
        scene.seen(aPod("p").mounting("data")).seen(aPod("q").mounting("data")).run();
        assertThat(scene.sent).hasSize(1);
        scene.carryOut().controllerBinds("v");
        assertThat(scene.bound).containsEntry("p", "n2").containsEntry("q", "n2");
    }

    @Test
    void whoIsStartedAnewGoesOnWhereTheVolumesAre() {
        scene.seen(aVolume("v").of("local").on("n2"));
        scene.seen(aVolume("w").of("local").on("n1"));
        scene.seen(aClaim("data").of("local").asking("1Gi"))
                .seen(aPod("p").mounting("data"))
                .run()
                .carryOut();
        String chosen = scene.volume("v").state().claim().isPresent() ? "v" : "w";

        Scene successor = new Scene();
        successor.seen(new StorageClass("local", "class-local", "kubernetes.io/no-provisioner", true, List.of()));
        successor.seen(aNode("n1").with("4 cpu")).seen(aNode("n2").with("4 cpu"));
        scene.volumes.values().forEach(volume -> {
            successor.volumes.put(volume.name(), volume);
            successor.seen(volume);
        });
        successor.claims.putAll(scene.claims);
        successor.seen(scene.claim("data")).seen(aPod("p").mounting("data")).run();
        assertThat(successor.sent).isEmpty();
        successor.controllerBinds(chosen);
        assertThat(successor.bound).containsEntry("p", chosen.equals("v") ? "n2" : "n1");
    }

    @Test
    void aClaimForOnePodAloneIsFreeWhenThatPodLeaves() {
        scene.seen(aClaim("data").of("local").inModes("ReadWriteOncePod").boundTo("v"));
        scene.seen(aVolume("v").of("local").inModes("ReadWriteOncePod").boundTo(scene.claim("data")));
        scene.seen(aPod("first").mounting("data").on("n1"));
        scene.seen(aPod("second").mounting("data")).run();
        assertThat(scene.told)
                .containsExactly("0/2 nodes are available: 2 node(s) unavailable due to PersistentVolumeClaim with"
                        + " ReadWriteOncePod access mode already in-use by another pod.");
        scene.gone("first").advance(Duration.ofSeconds(2));
        assertThat(scene.bound).containsKey("second");
    }

    @Test
    void aFinishedPodDoesNotKeepAClaimForItself() {
        scene.seen(aClaim("data").of("local").inModes("ReadWriteOncePod").boundTo("v"));
        scene.seen(aVolume("v").of("local").boundTo(scene.claim("data")));
        scene.seen(aPod("first").mounting("data").on("n1").in(Phase.SUCCEEDED));
        scene.seen(aPod("second").mounting("data")).run();
        assertThat(scene.bound).containsKey("second");
    }

    @Test
    void aPodWaitsUntilItsOwnClaimIsMade() {
        scene.seen(aPod("p").mountingItsOwn("scratch")).run();
        assertThat(scene.told)
                .containsExactly("0/2 nodes are available: waiting for ephemeral volume controller to create the"
                        + " persistentvolumeclaim \"p-scratch\".");
        scene.seen(aClaim("p-scratch").of("made").ownedBy("another")).advance(Duration.ofSeconds(2));
        assertThat(scene.told)
                .contains("0/2 nodes are available: PVC default/p-scratch was not created for pod default/p (pod is"
                        + " not owner).");
        scene.seen(aClaim("p-scratch").of("made").ownedBy("p")).advance(Duration.ofSeconds(5));
        assertThat(scene.sent).hasSize(1);
    }

    @Test
    void thePodsOfAnotherSchedulerAreNotHeldBack() {
        scene.seen(aClaim("data").of("local"));
        scene.seen(aPod("p").mounting("data").with(pod -> pod.schedulerName("another")));
        scene.run();
        assertThat(scene.decider.vetoes(scene.ledger.pod(new PodUid("p")).orElseThrow(), List.of("n1")))
                .containsEntry("n1", List.of());
        assertThat(scene.sent).isEmpty();
        assertThat(scene.bound).isEmpty();
        assertThat(scene.isAssumed("p")).isFalse();
    }
}
