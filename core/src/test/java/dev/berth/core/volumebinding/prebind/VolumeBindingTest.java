package dev.berth.core.volumebinding.prebind;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static dev.berth.core.volumebinding.PersistentVolumeBuilder.aVolume;
import static dev.berth.core.volumebinding.PersistentVolumeClaimBuilder.aClaim;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.PodPhase;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.queue.QueueState;
import dev.berth.core.volumebinding.StorageClass;
import dev.berth.core.volumebinding.VolumeWrite;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class VolumeBindingTest {
    private static final String RUNNING = "running PreBind plugin \"VolumeBinding\": binding volumes: ";

    private final VolumeBindingScene scene = new VolumeBindingScene();
    private int denied;

    @BeforeEach
    void twoNodesAndTwoClasses() {
        scene.upsert(new StorageClass("local", "class-local", "kubernetes.io/no-provisioner", true, List.of()));
        scene.upsert(new StorageClass("made", "class-made", "disks.example.com", true, List.of()));
        scene.upsert(aNode("n1").with("4 cpu")).upsert(aNode("n2").with("4 cpu"));
    }

    @Test
    void aPodIsBoundOnlyAfterItsVolumeIs() {
        scene.upsert(aVolume("v").ofClass("local").on("n2"));
        scene.upsert(aClaim("data").ofClass("local"))
                .upsert(aPod("p").mounting("data"))
                .run();

        assertThat(scene.bound).isEmpty();
        assertThat(scene.isAssumed("p")).isTrue();
        assertThat(scene.sent)
                .containsExactly(new VolumeWrite.SetClaimRef(
                        "v",
                        "volume-v",
                        scene.volume("v").version(),
                        scene.claim("data").toClaimRef(),
                        scene.claim("data").version(),
                        true));
        scene.performWrites();
        assertThat(scene.bound).isEmpty();
        scene.controllerBinds("v");
        assertThat(scene.bound).containsEntry("p", "n2");
        assertThat(scene.isAssumed("p")).isTrue();
    }

    @Test
    void aPodWithBoundVolumesIsBoundAtOnce() {
        scene.upsert(aClaim("data").ofClass("local").boundTo("v"));
        scene.upsert(aVolume("v").ofClass("local").on("n2").boundTo(scene.claim("data")));
        scene.upsert(aPod("p").mounting("data")).run();
        assertThat(scene.bound).containsEntry("p", "n2");
        assertThat(scene.sent).isEmpty();
    }

    @Test
    void aVolumeIsProvisionedForTheNodeOfThePod() {
        scene.upsert(aClaim("data").ofClass("made"))
                .upsert(aPod("p").mounting("data"))
                .run();
        VolumeWrite.SetSelectedNode select = (VolumeWrite.SetSelectedNode) scene.sent.get(0);
        assertThat(select.claim()).isEqualTo(scene.claim("data").key());
        scene.performWrites();
        assertThat(scene.claim("data").state().selectedNode()).contains(select.node());
        scene.provisionerMakes(aVolume("v").ofClass("made").on(select.node()), "data");
        assertThat(scene.bound).containsEntry("p", select.node());
    }

    @Test
    void whenProvisioningFailsThePodIsRequeued() {
        scene.upsert(aClaim("data").ofClass("made"))
                .upsert(aPod("p").mounting("data"))
                .run()
                .performWrites();
        scene.provisionerGivesUp("data");
        assertThat(scene.conditionMessages).containsExactly(RUNNING + "provisioning failed for PVC \"data\"");
        assertThat(scene.isAssumed("p")).isFalse();
        assertThat(scene.queueState("p")).isEqualTo(QueueState.BACKING_OFF);
        scene.advance(Duration.ofSeconds(2));
        assertThat(scene.sent).hasSize(1);
    }

    @Test
    void noOtherPodGetsAnAssumedVolume() {
        scene.upsert(aVolume("v").ofClass("local").on("n1"));
        scene.upsert(aClaim("one").ofClass("local")).upsert(aClaim("two").ofClass("local"));
        scene.upsert(aPod("p").mounting("one")).run();
        scene.upsert(aPod("q").mounting("two")).run();
        assertThat(scene.sent).hasSize(1);
        assertThat(scene.conditionMessages)
                .containsExactly(
                        "0/2 nodes are available: 2 node(s) didn't find available persistent volumes to bind.");
        assertThat(scene.queueState("q")).isEqualTo(QueueState.UNSCHEDULABLE);
    }

    @Test
    void anAssumedVolumeIsReleasedWhenThePodIsDeleted() {
        scene.upsert(aVolume("v").ofClass("local").on("n1"));
        scene.upsert(aClaim("one").ofClass("local")).upsert(aClaim("two").ofClass("local"));
        scene.upsert(aPod("p").mounting("one")).run();
        scene.upsert(aPod("q").mounting("two")).run();
        scene.sent.clear();
        scene.deletePod("p").advance(Duration.ofSeconds(20));
        assertThat(scene.queueState("q")).isEqualTo(QueueState.IN_FLIGHT);
        assertThat(scene.isAssumed("q")).isTrue();
    }

    @Test
    void aWriteInFlightForADeletedPodDelaysTheNextPod() {
        scene.upsert(aVolume("v").ofClass("local").on("n1"));
        scene.upsert(aClaim("one").ofClass("local")).upsert(aClaim("two").ofClass("local"));
        scene.upsert(aPod("p").mounting("one")).run();
        VolumeWrite first = (VolumeWrite) scene.sent.remove(0);
        scene.deletePod("p").upsert(aPod("q").mounting("two")).run();
        assertThat(scene.sent).isEmpty();
        scene.scheduler().onWriteResult(first, scene.perform(first), scene.clock.instant());
        scene.run();
        assertThat(scene.conditionMessages).containsExactly(RUNNING + "ClaimRef got reset for pv \"v\"");
        assertThat(scene.isAssumed("q")).isFalse();
        assertThat(scene.volume("v").state().claimRef())
                .contains(scene.claim("one").toClaimRef());
    }

    @Test
    void aPodDeletedWhileItWaitsForVolumesReleasesItsPlace() {
        scene.upsert(aVolume("v").ofClass("local").on("n1"));
        scene.upsert(aClaim("data").ofClass("local"))
                .upsert(aPod("p").mounting("data"))
                .run();
        scene.upsert(aPod("p").mounting("data").terminating()).run();
        assertThat(scene.isAssumed("p")).isFalse();
        scene.performWrites().controllerBinds("v");
        assertThat(scene.bound).isEmpty();
        assertThat(scene.conditionMessages).isEmpty();
    }

    @Test
    void aPodBoundByAnotherSchedulerIsNotBoundAgain() {
        scene.upsert(aVolume("v").ofClass("local").on("n1"));
        scene.upsert(aClaim("data").ofClass("local"))
                .upsert(aPod("p").mounting("data"))
                .run();
        scene.upsert(aPod("p").mounting("data").on("n2")).run().performWrites().controllerBinds("v");
        assertThat(scene.bound).isEmpty();
    }

    @Test
    void aPodIsRequeuedWhenItsNodeIsDeleted() {
        scene.upsert(aVolume("v").ofClass("local").on("n1"));
        scene.upsert(aClaim("data").ofClass("local"))
                .upsert(aPod("p").mounting("data"))
                .run();
        scene.deleteNode("n1").run();
        assertThat(scene.isAssumed("p")).isFalse();
        assertThat(scene.conditionMessages).containsExactly(RUNNING + "failed to get node \"n1\"");
    }

    @Test
    void aPodThatWaitsTenMinutesForVolumesIsRequeued() {
        scene.upsert(aVolume("v").ofClass("local").on("n1"));
        scene.upsert(aClaim("data").ofClass("local"))
                .upsert(aPod("p").mounting("data"))
                .run()
                .performWrites();
        assertThat(scene.scheduler().nextWake()).contains(scene.clock.instant().plus(Duration.ofMinutes(10)));
        scene.advance(Duration.ofSeconds(599));
        assertThat(scene.isAssumed("p")).isTrue();
        scene.advance(Duration.ofSeconds(1));
        assertThat(scene.conditionMessages).containsExactly(RUNNING + "context deadline exceeded");
        assertThat(scene.isAssumed("p")).isFalse();
        scene.advance(Duration.ofSeconds(2)).controllerBinds("v");
        assertThat(scene.bound).containsEntry("p", "n1");
    }

    @Test
    void aConcurrentChangeCausesOneRetry() {
        scene.upsert(aVolume("v").ofClass("local").on("n1"));
        scene.upsert(aClaim("data").ofClass("local"))
                .upsert(aPod("p").mounting("data"))
                .run();
        scene.upsert(aVolume("v").ofClass("local").on("n1").labelled("colour", "blue"));
        scene.performWrites();
        assertThat(scene.sent).hasSize(1);
        scene.performWrites().controllerBinds("v");
        assertThat(scene.bound).containsEntry("p", "n1");
        assertThat(scene.conditionMessages).isEmpty();
    }

    @Test
    void noWriteIsRepeatedBeforeItsEcho() {
        scene.upsert(aVolume("v").ofClass("local").on("n1"));
        scene.upsert(aClaim("data").ofClass("local"))
                .upsert(aPod("p").mounting("data"))
                .run();
        VolumeWrite write = (VolumeWrite) scene.sent.remove(0);
        scene.scheduler()
                .onWriteResult(
                        write, new WriteResult(WriteResult.ResultKind.CONFLICT, "modified"), scene.clock.instant());
        scene.run();
        assertThat(scene.sent).isEmpty();
        // It was written after all, and the answer to the first try had been lost.
        scene.perform(write);
        scene.run().controllerBinds("v");
        assertThat(scene.bound).containsEntry("p", "n1");
    }

    @Test
    void aConflictWithoutAnEchoDelaysThePodAndKeepsItsPlace() {
        scene.upsert(aVolume("v").ofClass("local").on("n1"));
        scene.upsert(aClaim("data").ofClass("local"))
                .upsert(aPod("p").mounting("data"))
                .run();
        VolumeWrite write = (VolumeWrite) scene.sent.remove(0);
        scene.scheduler()
                .onWriteResult(
                        write,
                        new WriteResult(WriteResult.ResultKind.CONFLICT, "the object has been modified"),
                        scene.clock.instant());
        scene.run();
        assertThat(scene.scheduler().nextWake()).contains(scene.clock.instant().plus(Duration.ofSeconds(1)));
        scene.advance(Duration.ofSeconds(1));
        assertThat(scene.sent).containsExactly(write);
        scene.performWrites().controllerBinds("v");
        assertThat(scene.bound).containsEntry("p", "n1");
        assertThat(scene.conditionMessages).isEmpty();
    }

    @Test
    void aDeniedWriteIsReported() {
        scene.upsert(aVolume("v").ofClass("local").on("n1"));
        scene.upsert(aClaim("data").ofClass("local"))
                .upsert(aPod("p").mounting("data"))
                .run();
        VolumeWrite write = (VolumeWrite) scene.sent.remove(0);
        scene.scheduler()
                .onWriteResult(
                        write, new WriteResult(WriteResult.ResultKind.DENIED, "forbidden"), scene.clock.instant());
        scene.run();
        assertThat(scene.conditionMessages).containsExactly(RUNNING + "forbidden");
        assertThat(scene.isAssumed("p")).isFalse();
    }

    @Test
    void aDeniedWriteIsRetriedAndThePlaceReleasedMeanwhile() {
        scene.upsert(aVolume("v").ofClass("local").on("n1"));
        scene.upsert(aClaim("data").ofClass("local"))
                .upsert(aPod("p").mounting("data"))
                .run();
        for (int i = 0; i < 40; i++) {
            scene.sent.forEach(write -> scene.scheduler()
                    .onWriteResult(
                            (VolumeWrite) write,
                            new WriteResult(WriteResult.ResultKind.DENIED, "forbidden"),
                            scene.clock.instant()));
            denied += scene.sent.size();
            scene.sent.clear();
            scene.advance(Duration.ofSeconds(10));
            assertThat(scene.isAssumed("p")).isEqualTo(!scene.sent.isEmpty());
        }
        assertThat(denied).isBetween(6, 14);
        for (int i = 0; i < 20 && scene.bound.isEmpty(); i++) {
            scene.performWrites().advance(Duration.ofSeconds(10));
            if (scene.volume("v").state().claimRef().isPresent()) {
                scene.controllerBinds("v");
            }
        }
        assertThat(scene.bound).containsEntry("p", "n1");
    }

    @Test
    void aWriteWithoutAnEchoIsRetried() {
        scene.upsert(aVolume("v").ofClass("local").on("n1"));
        scene.upsert(aClaim("data").ofClass("local"))
                .upsert(aPod("p").mounting("data"))
                .run();
        VolumeWrite write = (VolumeWrite) scene.sent.remove(0);
        scene.scheduler().onWriteResult(write, WriteResult.WRITTEN, scene.clock.instant());
        scene.run();
        assertThat(scene.sent).isEmpty();
        scene.advance(Duration.ofSeconds(10));
        assertThat(scene.sent).containsExactly(write);
    }

    @Test
    void twoPodsThatMountOneClaimShareItsVolume() {
        scene.upsert(aVolume("v").ofClass("local").on("n2"));
        scene.upsert(aClaim("data").ofClass("local"));
        scene.upsert(aPod("p").mounting("data"))
                .upsert(aPod("q").mounting("data"))
                .run();
        assertThat(scene.sent).hasSize(1);
        scene.performWrites().controllerBinds("v");
        assertThat(scene.bound).containsEntry("p", "n2").containsEntry("q", "n2");
    }

    @Test
    void afterARestartThePodIsPlacedWhereItsVolumesAre() {
        scene.upsert(aVolume("v").ofClass("local").on("n2"));
        scene.upsert(aVolume("w").ofClass("local").on("n1"));
        scene.upsert(aClaim("data").ofClass("local").asking("1Gi"))
                .upsert(aPod("p").mounting("data"))
                .run()
                .performWrites();
        String chosen = scene.volume("v").state().claimRef().isPresent() ? "v" : "w";

        VolumeBindingScene successor = new VolumeBindingScene();
        successor.upsert(new StorageClass("local", "class-local", "kubernetes.io/no-provisioner", true, List.of()));
        successor.upsert(aNode("n1").with("4 cpu")).upsert(aNode("n2").with("4 cpu"));
        scene.volumes.values().forEach(volume -> {
            successor.volumes.put(volume.name(), volume);
            successor.upsert(volume);
        });
        successor.claims.putAll(scene.claims);
        successor.upsert(scene.claim("data")).upsert(aPod("p").mounting("data")).run();
        assertThat(successor.sent).isEmpty();
        successor.controllerBinds(chosen);
        assertThat(successor.bound).containsEntry("p", chosen.equals("v") ? "n2" : "n1");
    }

    @Test
    void aReadWriteOncePodClaimIsReleasedWhenItsPodIsDeleted() {
        scene.upsert(aClaim("data")
                .ofClass("local")
                .withAccessModes("ReadWriteOncePod")
                .boundTo("v"));
        scene.upsert(aVolume("v")
                .ofClass("local")
                .withAccessModes("ReadWriteOncePod")
                .boundTo(scene.claim("data")));
        scene.upsert(aPod("first").mounting("data").on("n1"));
        scene.upsert(aPod("second").mounting("data")).run();
        assertThat(scene.conditionMessages)
                .containsExactly("0/2 nodes are available: 2 node(s) unavailable due to PersistentVolumeClaim with"
                        + " ReadWriteOncePod access mode already in-use by another pod.");
        scene.deletePod("first").advance(Duration.ofSeconds(2));
        assertThat(scene.bound).containsKey("second");
    }

    @Test
    void aFinishedPodReleasesItsReadWriteOncePodClaim() {
        scene.upsert(aClaim("data")
                .ofClass("local")
                .withAccessModes("ReadWriteOncePod")
                .boundTo("v"));
        scene.upsert(aVolume("v").ofClass("local").boundTo(scene.claim("data")));
        scene.upsert(aPod("first").mounting("data").on("n1").in(PodPhase.SUCCEEDED));
        scene.upsert(aPod("second").mounting("data")).run();
        assertThat(scene.bound).containsKey("second");
    }

    @Test
    void aPodWaitsUntilItsEphemeralClaimIsCreated() {
        scene.upsert(aPod("p").mountingEphemeral("scratch")).run();
        assertThat(scene.conditionMessages)
                .containsExactly("0/2 nodes are available: waiting for ephemeral volume controller to create the"
                        + " persistentvolumeclaim \"p-scratch\".");
        scene.upsert(aClaim("p-scratch").ofClass("made").ownedBy("another")).advance(Duration.ofSeconds(2));
        assertThat(scene.conditionMessages)
                .contains("0/2 nodes are available: PVC default/p-scratch was not created for pod default/p (pod is"
                        + " not owner).");
        scene.upsert(aClaim("p-scratch").ofClass("made").ownedBy("p")).advance(Duration.ofSeconds(5));
        assertThat(scene.sent).hasSize(1);
    }

    @Test
    void bindsOfAnotherSchedulersPodsDoNotWait() {
        scene.upsert(aClaim("data").ofClass("local"));
        scene.upsert(aPod("p").mounting("data").with(pod -> pod.schedulerName("another")));
        scene.run();
        assertThat(scene.placer.filter(scene.ledger().pod(new PodUid("p")).orElseThrow(), List.of("n1")))
                .containsEntry("n1", List.of());
        assertThat(scene.sent).isEmpty();
        assertThat(scene.bound).isEmpty();
        assertThat(scene.isAssumed("p")).isFalse();
    }
}
