package dev.berth.core.door.devices;

import static dev.berth.core.door.devices.DeviceFixtures.claim;
import static dev.berth.core.door.devices.DeviceFixtures.claimOn;
import static dev.berth.core.door.devices.DeviceFixtures.device;
import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodPhase;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.DeviceUse;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.filter.CycleState;
import dev.berth.core.placement.filter.FilterPlugin;
import dev.berth.core.placement.filter.HoldVisibility;
import dev.berth.core.placement.filter.RequiredNodeNames;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Devices from the claim to the release, and back from every way in which it can go wrong. */
class DeviceDoorTest {
    private final DevicesScene cluster = new DevicesScene();

    @BeforeEach
    void twoNodes() {
        cluster.upsert(aNode("n1").with("8 cpu")).upsert(aNode("n2").with("8 cpu"));
    }

    private static PodBuilder pod(String name, String claims) {
        return aPod(name).asking("1 cpu").annotated(DeviceClaim.ANNOTATION, claims);
    }

    private Pod podWithDevice() {
        cluster.upsert(device("er1", "n2", "k80")).upsert(claim("k80-erc", "k80", 1));
        return cluster.scheduleAndBind(pod("p", "k80-erc"));
    }

    @Test
    void aPodIsPlacedWhereItsClaimCanBeMetAndItsBindRecordsTheDevices() {
        Pod there = podWithDevice();

        assertThat(there.nodeName()).contains("n2");
        assertThat(there.annotations().get(DeviceUse.ANNOTATION)).contains("k80-erc=er1");
    }

    @Test
    void whenTheDoorIsDisabledPodsThatClaimDevicesWaitAndOtherPodsAreScheduled() {
        FilterPlugin shut = DeviceDoor.disabled();
        Pod claiming = pod("p", "k80-erc").build();
        NodeState anywhere = cluster.ledger().node("n1").orElseThrow();

        assertThat(shut.appliesTo(aPod("q").build())).isFalse();
        assertThat(shut.appliesTo(claiming)).isTrue();
        CycleState cycle =
                new CycleState(claiming, RequiredNodeNames.UNRESTRICTED, new HoldVisibility(List.of(), false));
        assertThat(shut.filter(cycle, anywhere, Optional.empty()))
                .extracting(Veto::message)
                .containsExactly("the pod claims devices, and the door devices is disabled");
    }

    @Test
    void theClaimAndTheDeviceNameThePodThatUsesThem() {
        cluster.upsert(device("er1", "n2", "k80"))
                .upsert(claim("k80-erc", "k80", 1))
                .runUntilIdle();
        assertThat(cluster.devicePhase("er1")).isEqualTo("Available");
        assertThat(cluster.claimPhase("k80-erc")).isEmpty();

        cluster.scheduleAndBind(pod("p", "k80-erc"));

        DeviceClaim claim = cluster.claim("k80-erc");
        assertThat(claim.status().phase()).isEqualTo("Bound");
        assertThat(claim.status().reason()).isEqualTo("ExtendedResourceClaim has already bound to ExtendedResource");
        assertThat(claim.allocation())
                .isEqualTo(new DeviceClaim.DeviceClaimAllocation(
                        List.of("er1"), Optional.of(List.of()), Optional.of("p")));
        assertThat(cluster.devicePhase("er1")).isEqualTo("Bound");
        assertThat(cluster.device("er1").binding()).isEqualTo(new Device.DeviceBinding("default", "k80-erc", "p"));
    }

    @Test
    void theClaimAndTheDeviceAreFreeWhenThePodIsDeleted() {
        podWithDevice();

        cluster.deletePod("p").runUntilIdle();

        assertThat(cluster.claimPhase("k80-erc")).isEmpty();
        assertThat(cluster.claim("k80-erc").allocation())
                .isEqualTo(new DeviceClaim.DeviceClaimAllocation(List.of(), Optional.empty(), Optional.empty()));
        assertThat(cluster.devicePhase("er1")).isEqualTo("Available");
        assertThat(cluster.device("er1").binding()).isEqualTo(Device.DeviceBinding.NONE);
    }

    @Test
    void aFinishedPodReleasesItsDevices() {
        Pod there = podWithDevice();

        cluster.upsert(there.toBuilder().phase(PodPhase.SUCCEEDED).build()).runUntilIdle();

        assertThat(cluster.devicePhase("er1")).isEqualTo("Available");
    }

    @Test
    void aTerminatingPodKeepsItsDevicesUntilItIsGone() {
        Pod there = podWithDevice();

        cluster.upsert(there.toBuilder().terminating(true).build()).runUntilIdle();

        assertThat(cluster.devicePhase("er1")).isEqualTo("Bound");
        assertThat(cluster.unschedulableMessage(pod("q", "k80-erc")))
                .contains("ExtendedResourceClaim k80-erc is bound to pod p");
    }

    @Test
    void aPodOfTheSameNameWithAnotherUidWaitsUntilTheOldPodIsDeleted() {
        cluster.upsert(device("er1", "n2", "k80")).upsert(claim("k80-erc", "k80", 1));
        cluster.scheduleAndBind(pod("web-0", "k80-erc").uid("old"));
        assertThat(cluster.unschedulableMessage(pod("web-0", "k80-erc").uid("new")))
                .contains("is bound to pod web-0");

        cluster.apply(new Fact.PodDeleted(new PodUid("old"))).runUntilIdle().advance(Duration.ofSeconds(2));

        assertThat(cluster.schedulePods()).anyMatch(Effect.Bind.class::isInstance);
    }

    @Test
    void deletingTheClaimDoesNotFreeTheDeviceWhileThePodRuns() {
        podWithDevice();

        cluster.deleteClaim("k80-erc").upsert(claim("other", "k80", 1)).runUntilIdle();

        assertThat(cluster.devicePhase("er1")).isEqualTo("Bound");
        assertThat(cluster.unschedulableMessage(pod("q", "other")))
                .contains("less than pod needs (used by pod default/p)");
    }

    @Test
    void aRecreatedClaimIsBoundToItsPodAgain() {
        podWithDevice();

        cluster.deleteClaim("k80-erc").runUntilIdle();
        cluster.upsert(claim("k80-erc", "k80", 1)).runUntilIdle();

        assertThat(cluster.claimPhase("k80-erc")).isEqualTo("Bound");
    }

    @Test
    void aClaimIsLostWhileItsDeviceIsDeletedAndBoundWhenTheDeviceReturns() {
        podWithDevice();

        cluster.deleteDevice("er1").runUntilIdle();
        assertThat(cluster.claimPhase("k80-erc")).isEqualTo("Lost");
        assertThat(cluster.claim("k80-erc").status().reason()).isEqualTo("ExtendedResource er1 not found in cluster.");
        assertThat(cluster.recordedEvents).anyMatch(event -> event.note().contains("er1 not found"));

        cluster.upsert(device("er1", "n2", "k80")).runUntilIdle();
        assertThat(cluster.claimPhase("k80-erc")).isEqualTo("Bound");
        assertThat(cluster.devicePhase("er1")).isEqualTo("Bound");
    }

    @Test
    void theDevicesOfANotReadyNodeAreUnusableAfterTwoMinutesUntilTheNodeIsReady() {
        podWithDevice();
        cluster.upsert(silent(aNode("n2").with("8 cpu").build()))
                .advance(Duration.ofSeconds(119))
                .runUntilIdle();
        assertThat(cluster.devicePhase("er1")).isEqualTo("Bound");
        assertThat(cluster.scheduler().nextWake())
                .contains(cluster.clock.instant().plusSeconds(1));

        cluster.advance(Duration.ofSeconds(1)).runUntilIdle();
        assertThat(cluster.device("er1").status())
                .isEqualTo(new DeviceObjectStatus("Pending", "", "Node n2 is not ready"));
        assertThat(cluster.claim("k80-erc").status().reason()).isEqualTo("ExtendedResource er1: Node n2 is not ready");
        assertThat(cluster.claimPhase("k80-erc")).isEqualTo("Lost");

        cluster.upsert(aNode("n2").with("8 cpu")).runUntilIdle();
        assertThat(cluster.devicePhase("er1")).isEqualTo("Bound");
        assertThat(cluster.claimPhase("k80-erc")).isEqualTo("Bound");
    }

    private Node silent(Node node) {
        return new Node(
                node.uid(),
                node.name(),
                node.labels(),
                node.annotations(),
                node.allocatable(),
                false,
                node.taints(),
                node.images(),
                Optional.of(cluster.clock.instant()));
    }

    @Test
    void theDevicesOfADeletedNodeAreUnusableUntilTheNodeIsBack() {
        cluster.upsert(device("er1", "n1", "k80")).runUntilIdle();

        cluster.deleteNode("n1").runUntilIdle();
        assertThat(cluster.device("er1").status())
                .isEqualTo(new DeviceObjectStatus("Pending", "", "no node matches spec.nodeAffinity.required"));

        cluster.upsert(aNode("n1").uid("another").with("8 cpu")).runUntilIdle();
        assertThat(cluster.devicePhase("er1")).isEqualTo("Available");
    }

    @Test
    void aFailedBindReleasesTheDevices() {
        cluster.upsert(device("er1", "n2", "k80"))
                .upsert(claim("k80-erc", "k80", 1))
                .upsert(pod("p", "k80-erc"));
        Effect.Bind bind = (Effect.Bind) cluster.schedulePods().get(0);
        cluster.runUntilIdle();
        assertThat(cluster.claimPhase("k80-erc")).isEqualTo("Pending");
        assertThat(cluster.claim("k80-erc").status().reason())
                .isEqualTo("extended resource have been satisfied and waiting to bound");

        cluster.scheduler().onBindFailed(bind, Optional.of("no"), cluster.clock.instant());
        cluster.runUntilIdle();

        assertThat(cluster.claimPhase("k80-erc")).isEmpty();
        assertThat(cluster.devicePhase("er1")).isEqualTo("Available");
    }

    @Test
    void twoPodsCreatedTogetherDoNotGetTheSameDevice() {
        cluster.upsert(device("er1", "n1", "k80"))
                .upsert(device("er2", "n1", "k80"))
                .upsert(claim("a", "k80", 1))
                .upsert(claim("b", "k80", 1))
                .upsert(pod("p", "a"))
                .upsert(pod("q", "b"));

        List<String> records = cluster.schedulePods().stream()
                .map(effect ->
                        String.valueOf(((Effect.Bind) effect).annotations().get(DeviceUse.ANNOTATION)))
                .toList();

        assertThat(records).containsExactlyInAnyOrder("a=er1", "b=er2");
    }

    @Test
    void aClaimThatNamesADeviceGetsItAndKeepsTheNameAfterRelease() {
        cluster.upsert(device("er1", "n1", "k80"))
                .upsert(device("er10", "n2", "k80"))
                .upsert(claimOn("mine", 0, "er10"));

        assertThat(cluster.scheduleAndBind(pod("p", "mine")).nodeName()).contains("n2");
        cluster.deletePod("p").runUntilIdle();

        assertThat(cluster.claim("mine").allocation())
                .isEqualTo(new DeviceClaim.DeviceClaimAllocation(List.of("er10"), Optional.empty(), Optional.empty()));
    }

    @Test
    void aClaimThatNamesFewerDevicesThanItCountsGetsOtherDevicesToo() {
        cluster.upsert(device("er1", "n1", "k80"))
                .upsert(device("er2", "n1", "k80"))
                .upsert(device("er3", "n1", "k80"))
                .upsert(claimOn("mine", 3, "er2"));

        assertThat(cluster.scheduleAndBind(pod("p", "mine")).annotations().get(DeviceUse.ANNOTATION))
                .contains("mine=er1,er2,er3");
    }

    @Test
    void allClaimsOfAPodAreMetTogetherOrNotAtAll() {
        cluster.upsert(device("er1", "n1", "k80"))
                .upsert(device("er2", "n2", "k80"))
                .upsert(device("er3", "n2", "v100"))
                .upsert(claim("slow", "k80", 1))
                .upsert(claim("fast", "v100", 1));

        Pod there = cluster.scheduleAndBind(pod("p", "slow, fast,slow"));

        assertThat(there.nodeName()).contains("n2");
        assertThat(there.annotations().get(DeviceUse.ANNOTATION)).contains("fast=er3;slow=er2");
    }

    @Test
    void claimsThatCanBeMetOneByOneButNotTogetherAreRefused() {
        cluster.upsert(device("er1", "n1", "k80"))
                .upsert(device("er2", "n1", "v100"))
                .upsert(claim("a", "k80", 1))
                .upsert(claim("b", "k80", 1));

        assertThat(cluster.unschedulableMessage(pod("p", "a,b")))
                .contains("1 node can allocate extended resource are not satisfy pod needs");
    }

    @Test
    void aDeviceOfAnotherResourceIsNotGivenEvenByName() {
        cluster.upsert(device(
                        DeviceFixtures.ref("", "disk1", "1"),
                        List.of(DeviceFixtures.host("n1")),
                        "example.com/disk",
                        Labels.NONE))
                .upsert(claimOn("mine", 0, "disk1"));

        assertThat(cluster.unschedulableMessage(pod("p", "mine")))
                .contains("extended resource that can be allocated are not satisfy [mine] needs");
    }

    @Test
    void theUnschedulableMessageSaysWhichDevicesAreMissing() {
        cluster.upsert(device("er1", "n1", "k80"))
                .upsert(claim("two", "k80", 2))
                .upsert(claimOn("named", 0, "er4"));

        assertThat(cluster.unschedulableMessage(pod("p", "absent")))
                .isEqualTo("0/2 nodes are available: 2 extendedresourceclaims \"absent\" not found.");
        assertThat(cluster.unschedulableMessage(pod("q", "two")))
                .isEqualTo("0/2 nodes are available: "
                        + "2 extended resources that can be allocated on this node are less than pod needs.");
        assertThat(cluster.unschedulableMessage(pod("r", "named")))
                .isEqualTo("0/2 nodes are available: 2 there are no such [er4] extended resource.");
    }

    @Test
    void aNamedDeviceThatAnotherPodUsesIsUnavailable() {
        cluster.upsert(device("er1", "n1", "k80"))
                .upsert(claim("any", "k80", 1))
                .upsert(claimOn("named", 0, "er1"));
        cluster.scheduleAndBind(pod("p", "any"));

        assertThat(cluster.unschedulableMessage(pod("q", "named")))
                .contains("1 there are unavailable extended resources in extended resource claim (used by pod"
                        + " default/p)");
    }

    @Test
    void theMessageDoesNotNameAPodWhoseDevicesTheClaimDoesNotAskFor() {
        cluster.upsert(device("er1", "n1", "k80"))
                .upsert(device("er2", "n1", "k80"))
                .upsert(claim("any", "k80", 1));
        cluster.scheduleAndBind(pod("d1", "any"));
        cluster.upsert(claimOn("absent", 0, "e9"))
                .upsert(claim("v100", "v100", 1))
                .upsert(claim("three", "k80", 3));

        assertThat(cluster.unschedulableMessage(pod("p", "absent")))
                .isEqualTo("0/2 nodes are available: 2 there are no such [e9] extended resource.");
        assertThat(cluster.unschedulableMessage(pod("q", "v100")))
                .isEqualTo("0/2 nodes are available: "
                        + "1 extended resource that can be allocated are not satisfy [v100] needs, "
                        + "1 extended resources that can be allocated on this node are less than pod needs.");
        assertThat(cluster.unschedulableMessage(pod("r", "three")))
                .as("a pod that has a device of the kind is named")
                .contains("less than pod needs (used by pod default/d1)");
    }

    @Test
    void theMessageNamesThePodsThatUseTheDevicesOfTheUnmetClaim() {
        cluster.upsert(device("er1", "n1", "k80"))
                .upsert(device("er2", "n1", "k80"))
                .upsert(device("er3", "n1", "v100"))
                .upsert(claimOn("mine", 0, "er1"))
                .upsert(claim("k80", "k80", 1))
                .upsert(claimOn("spare", 0, "er4"))
                .upsert(claim("v100", "v100", 1))
                .upsert(claim("other", "v100", 1))
                .upsert(device("er4", "n1", "p4"));
        cluster.scheduleAndBind(pod("d1", "mine"));
        cluster.scheduleAndBind(pod("d2", "other"));

        assertThat(cluster.unschedulableMessage(pod("p", "k80,v100")))
                .contains("not satisfy [v100] needs (used by pod default/d2)");
    }

    @Test
    void aPodThatHasDevicesOnSeveralNodesIsNamedOnce() {
        cluster.upsert(device("er1", "n1", "k80"))
                .upsert(device("er2", "n1", "k80"))
                .upsert(claim("two", "k80", 2));
        cluster.scheduleAndBind(pod("d1", "two"));
        cluster.upsert(DeviceFixtures.moved(cluster.device("er2"), "n2")).upsert(claim("any", "k80", 1));

        assertThat(cluster.unschedulableMessage(pod("p", "any")))
                .isEqualTo("0/2 nodes are available: 2 extended resources that can be allocated on this node"
                        + " are less than pod needs (used by pod default/d1).");
    }

    @Test
    void theMessageNamesOnlyHoldsOnDevicesThatTheClaimAsksFor() {
        cluster.upsert(device("er1", "n1", "k80"))
                .upsert(device("er2", "n1", "v100"))
                .upsert(claim("k80-erc", "k80", 1));
        keep("kept", "er1");
        keep("unrelated", "er2");

        assertThat(cluster.unschedulableMessage(pod("p", "k80-erc")))
                .contains("1 Insufficient extended resources (held by Reservation kept)");
    }

    private void keep(String hold, String device) {
        cluster.scheduler()
                .apply(
                        new Fact.HoldUpserted(aHold(hold)
                                .on("n1")
                                .keeping("1 cpu")
                                .keepingDevice(device)
                                .forPodsLabelled("app", "web")
                                .build()),
                        cluster.clock.instant());
    }

    @Test
    void aPodThatWaitsForAClaimInUseIsUpdatedWhenTheClaimIsDeleted() {
        podWithDevice();
        assertThat(cluster.unschedulableMessage(pod("q", "k80-erc")))
                .contains("ExtendedResourceClaim k80-erc is bound to pod p");

        cluster.deleteClaim("k80-erc").runUntilIdle().advance(Duration.ofSeconds(2));
        assertThat(condition()).contains("extendedresourceclaims \"k80-erc\" not found");

        cluster.upsert(claim("k80-erc", "k80", 1)).runUntilIdle().advance(Duration.ofSeconds(5));
        assertThat(condition()).contains("ExtendedResourceClaim k80-erc is bound to pod p");
    }

    @Test
    void aWaitingPodIsUpdatedWhenItsClaimIsEdited() {
        cluster.upsert(claimOn("mine", 0, "er7"));
        assertThat(cluster.unschedulableMessage(pod("q", "mine"))).contains("no such [er7]");

        cluster.runUntilIdle().upsert(claimOn("mine", 0, "er8")).runUntilIdle().advance(Duration.ofSeconds(2));

        assertThat(condition()).contains("no such [er8]");
    }

    /** What the condition of the one pod that is decided on says. */
    private String condition() {
        return cluster.schedulePods().stream()
                .filter(Effect.MarkUnscheduled.class::isInstance)
                .map(effect -> ((Effect.MarkUnscheduled) effect).message())
                .findFirst()
                .orElse("the condition is not written");
    }

    @Test
    void aMalformedClaimIsReportedOnTheClaimAndOnItsPods() {
        cluster.upsert(claimOn("empty", 0))
                .upsert(claimOn("negative", -1))
                .upsert(claimOn("more", 1, "a", "b"))
                .upsert(claimOn("twice", 0, "a", "a"))
                .runUntilIdle();

        assertThat(cluster.claim("empty").status().message()).contains("Set one of them");
        assertThat(cluster.claim("negative").status().message()).contains("(-1) is negative");
        assertThat(cluster.claim("more").status().message()).contains("[a, b] has more names than");
        assertThat(cluster.claim("twice").status().message()).contains("names a device twice");
        assertThat(cluster.recordedEvents).hasSize(4);
        assertThat(cluster.unschedulableMessage(pod("p", "empty"))).contains("ExtendedResourceClaim empty: spec");
    }

    @Test
    void aDeviceThatMatchesNoNodeHasAMessageInItsStatus() {
        cluster.upsert(device(DeviceFixtures.ref("", "er9", "1"), List.of(), DeviceFixtures.GPU, Labels.NONE))
                .runUntilIdle();

        assertThat(cluster.device("er9").status().message())
                .isEqualTo("spec.nodeAffinity.required has no term. Name the node of the device");
    }

    @Test
    void ofTwoDevicesOfOneNameTheFirstByGroupIsUsedAndTheOtherReportsIt() {
        Device own = device("er1", "n1", "k80");
        Device forked = device(
                new DeviceObjectRef("extensions", "", "er1", "forked", "1"),
                own.nodeTerms(),
                own.resource(),
                own.properties());
        cluster.scheduler().apply(new DeviceFact.DeviceUpserted(own), cluster.clock.instant());
        cluster.scheduler().apply(new DeviceFact.DeviceUpserted(forked), cluster.clock.instant());
        cluster.scheduler().reconcileComponents(cluster.clock.instant());

        assertThat(cluster.scheduler().drainEffects())
                .extracting(effect -> ((DeviceWrite) effect).ref().group() + ": "
                        + ((DeviceWrite) effect).status().phase()
                        + ((DeviceWrite) effect).status().message())
                .containsExactlyInAnyOrder(
                        "extensions: Available",
                        "extensions.berth.dev: PendingBerth uses the object of the same name in the group extensions");
    }

    @Test
    void aPodThatWaitsForADeviceIsRequeuedWhenTheDeviceIsCreated() {
        cluster.upsert(claim("k80-erc", "k80", 1));
        assertThat(cluster.unschedulableMessage(pod("p", "k80-erc"))).contains("less than pod needs");

        cluster.runUntilIdle()
                .upsert(device("er1", "n1", "k80"))
                .advance(Duration.ofSeconds(2))
                .runUntilIdle();

        assertThat(cluster.schedulePods()).anyMatch(Effect.Bind.class::isInstance);
    }

    @Test
    void aPodThatWaitsForItsClaimIsRequeuedWhenTheClaimIsCreated() {
        cluster.upsert(device("er1", "n1", "k80"));
        assertThat(cluster.unschedulableMessage(pod("p", "k80-erc"))).contains("not found");

        cluster.runUntilIdle()
                .upsert(claim("k80-erc", "k80", 1))
                .advance(Duration.ofSeconds(2))
                .runUntilIdle();

        assertThat(cluster.schedulePods()).anyMatch(Effect.Bind.class::isInstance);
    }

    @Test
    void aDeviceOfAHoldIsGivenOnlyToOwnersOfTheHold() {
        cluster.upsert(device("er1", "n1", "k80")).upsert(claim("k80-erc", "k80", 1));
        cluster.scheduler()
                .apply(
                        new Fact.HoldUpserted(aHold("h")
                                .on("n1")
                                .keeping("1 cpu")
                                .keepingDevice("er1")
                                .forPodsLabelled("app", "web")
                                .build()),
                        cluster.clock.instant());

        assertThat(cluster.unschedulableMessage(pod("p", "k80-erc")))
                .contains("1 Insufficient extended resources (held by Reservation h)");
        Pod owner = cluster.scheduleAndBind(pod("q", "k80-erc").labelled("app", "web"));
        assertThat(owner.annotations().get(DeviceUse.ANNOTATION)).contains("k80-erc=er1");
    }

    @Test
    void anUnchangedStatusIsNotWrittenAgain() {
        podWithDevice();
        int writes = cluster.writes.size();

        cluster.upsert(aPod("other").asking("1 cpu").on("n1")).runUntilIdle();

        assertThat(cluster.writes).hasSize(writes);
        assertThat(writes).isEqualTo(2);
    }

    @Test
    void afterAConflictTheDoorWaitsForTheNewVersion() {
        cluster.scheduler().apply(new DeviceFact.DeviceUpserted(device("er1", "n1", "k80")), cluster.clock.instant());
        cluster.scheduler().reconcileComponents(cluster.clock.instant());
        DeviceWrite write = (DeviceWrite) cluster.scheduler().drainEffects().get(0);
        cluster.scheduler()
                .onWriteResult(
                        write, new WriteResult(WriteResult.ResultKind.CONFLICT, "changed"), cluster.clock.instant());
        cluster.scheduler().reconcileComponents(cluster.clock.instant());
        assertThat(cluster.scheduler().drainEffects()).isEmpty();

        Device newer = device(
                DeviceFixtures.ref("", "er1", "2"),
                List.of(DeviceFixtures.host("n1")),
                DeviceFixtures.GPU,
                Labels.NONE);
        cluster.scheduler().apply(new DeviceFact.DeviceUpserted(newer), cluster.clock.instant());
        cluster.scheduler().reconcileComponents(cluster.clock.instant());

        assertThat(cluster.scheduler().drainEffects())
                .singleElement()
                .satisfies(effect -> assertThat(((DeviceWrite) effect).ref().resourceVersion())
                        .isEqualTo("2"));
    }

    @Test
    void aDeniedStatusIsWrittenAgainAndReportedOnTheDevice() {
        answerFirstWrite(WriteResult.ResultKind.DENIED);
        assertThat(cluster.recordedEvents).singleElement().satisfies(event -> {
            assertThat(event.target().toString()).isEqualTo("ExtendedResource er1");
            assertThat(event.note()).startsWith("The API server denied a write: because.");
        });
        cluster.runUntilIdle();
        assertThat(cluster.writes).isEmpty();

        cluster.advance(Duration.ofSeconds(1)).runUntilIdle();

        assertThat(cluster.devicePhase("er1")).isEqualTo("Available");
        assertThat(cluster.recordedEvents).hasSize(2);
    }

    @Test
    void aStatusThatMetAConflictWithoutANewVersionIsWrittenAgain() {
        answerFirstWrite(WriteResult.ResultKind.CONFLICT);
        assertThat(cluster.scheduler().nextWake())
                .contains(cluster.clock.instant().plusSeconds(1));

        cluster.advance(Duration.ofSeconds(1)).runUntilIdle();

        assertThat(cluster.devicePhase("er1")).isEqualTo("Available");
    }

    @Test
    void aStatusThatWasAnsweredWithNotFoundIsWrittenAgain() {
        answerFirstWrite(WriteResult.ResultKind.NOT_FOUND);

        cluster.advance(Duration.ofSeconds(10)).runUntilIdle();

        assertThat(cluster.devicePhase("er1")).isEqualTo("Available");
    }

    @Test
    void aStatusWhoseEchoIsLostIsWrittenAgain() {
        answerFirstWrite(WriteResult.ResultKind.WRITTEN);

        cluster.advance(Duration.ofSeconds(10)).runUntilIdle();

        assertThat(cluster.devicePhase("er1")).isEqualTo("Available");
    }

    private void answerFirstWrite(WriteResult.ResultKind kind) {
        cluster.upsert(aNode("n1").with("8 cpu")).upsert(device("er1", "n1", "k80"));
        cluster.scheduler().reconcileComponents(cluster.clock.instant());
        DeviceWrite write = (DeviceWrite) cluster.scheduler().drainEffects().get(0);
        cluster.scheduler().onWriteResult(write, new WriteResult(kind, "because"), cluster.clock.instant());
        cluster.scheduler().reconcileComponents(cluster.clock.instant());
        cluster.scheduler().drainEffects().forEach(effect -> cluster.recordedEvents.add((Effect.RecordEvent) effect));
    }

    @Test
    void aRestartRestoresAllDeviceUsage() {
        Pod there = podWithDevice();

        DevicesScene again = new DevicesScene();
        again.upsert(cluster.claim("k80-erc"))
                .upsert(there)
                .upsert(cluster.device("er1"))
                .upsert(aNode("n1").with("8 cpu"))
                .upsert(aNode("n2").with("8 cpu"))
                .runUntilIdle();

        assertThat(again.writes).isEmpty();
        assertThat(again.unschedulableMessage(pod("q", "k80-erc"))).contains("is bound to pod p");
    }

    @Test
    void deviceThatNamesABlankPodIsFree() {
        Device made = device("er1", "n2", "k80");
        cluster.upsert(new Device(
                        made.ref(),
                        made.nodeTerms(),
                        made.resource(),
                        made.deviceId(),
                        made.properties(),
                        new Device.DeviceBinding("default", "k80-erc", " "),
                        made.status(),
                        made.problem()))
                .upsert(claim("k80-erc", "k80", 1));

        Pod there = cluster.scheduleAndBind(pod("p", "k80-erc"));

        assertThat(there.annotations().get(DeviceUse.ANNOTATION)).contains("k80-erc=er1");
    }

    @Test
    void devicesOfAPodDeletedWhileBerthWasDownAreFreedAtTheStart() {
        podWithDevice();

        DevicesScene again = new DevicesScene();
        again.upsert(cluster.claim("k80-erc"))
                .upsert(cluster.device("er1"))
                .upsert(aNode("n2").with("8 cpu"))
                .runUntilIdle();

        assertThat(again.claimPhase("k80-erc")).isEmpty();
        assertThat(again.devicePhase("er1")).isEqualTo("Available");
    }
}
