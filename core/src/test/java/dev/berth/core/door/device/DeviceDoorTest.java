package dev.berth.core.door.device;

import static dev.berth.core.door.device.Made.claim;
import static dev.berth.core.door.device.Made.claimOn;
import static dev.berth.core.door.device.Made.device;
import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Phase;
import dev.berth.core.cluster.Pod;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Fact;
import dev.berth.core.decision.Outcome;
import dev.berth.core.hold.DeviceUse;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.filter.Devices;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Devices from the claim to the release, and back from every way in which it can go wrong. */
class DeviceDoorTest {
    private final Scene scene = new Scene();

    @BeforeEach
    void twoNodes() {
        scene.seen(aNode("n1").with("8 cpu")).seen(aNode("n2").with("8 cpu"));
    }

    private static PodBuilder pod(String name, String claims) {
        return aPod(name).asking("1 cpu").annotated(DeviceClaim.ANNOTATION, claims);
    }

    private Pod podWithDevice() {
        scene.seen(device("er1", "n2", "k80")).seen(claim("k80-erc", "k80", 1));
        return scene.bound(pod("p", "k80-erc"));
    }

    @Test
    void aPodGoesWhereItsClaimCanBeMetAndItsRecordIsInTheBinding() {
        Pod there = podWithDevice();

        assertThat(there.nodeName()).contains("n2");
        assertThat(there.annotations().get(DeviceUse.ANNOTATION)).contains("k80-erc=er1");
    }

    @Test
    void whereThisDoorIsLeftOutWhoClaimsDevicesWaitsAndOthersDoNot() {
        Devices shut = DeviceDoor.shut();
        Pod claiming = pod("p", "k80-erc").build();
        NodeState anywhere = scene.ledger.node("n1").orElseThrow();

        assertThat(shut.wantedBy(aPod("q").build())).isFalse();
        assertThat(shut.wantedBy(claiming)).isTrue();
        assertThat(shut.veto(claiming, anywhere, Optional.empty()).orElseThrow().words())
                .isEqualTo("the pod claims devices, and Berth leaves them out");
    }

    @Test
    void claimAndDeviceSayWhoHasThem() {
        scene.seen(device("er1", "n2", "k80")).seen(claim("k80-erc", "k80", 1)).settle();
        assertThat(scene.deviceIs("er1")).isEqualTo("Available");
        assertThat(scene.phaseOf("k80-erc")).isEmpty();

        scene.bound(pod("p", "k80-erc"));

        DeviceClaim claim = scene.claim("k80-erc");
        assertThat(claim.status().phase()).isEqualTo("Bound");
        assertThat(claim.status().reason()).isEqualTo("ExtendedResourceClaim has already bound to ExtendedResource");
        assertThat(claim.written())
                .isEqualTo(new DeviceClaim.Written(List.of("er1"), Optional.of(List.of()), Optional.of("p")));
        assertThat(scene.deviceIs("er1")).isEqualTo("Bound");
        assertThat(scene.device("er1").link()).isEqualTo(new Device.Link("default", "k80-erc", "p"));
    }

    @Test
    void everythingIsFreeAtOnceWhenThePodIsGone() {
        podWithDevice();

        scene.gone("p").settle();

        assertThat(scene.phaseOf("k80-erc")).isEmpty();
        assertThat(scene.claim("k80-erc").written())
                .isEqualTo(new DeviceClaim.Written(List.of(), Optional.empty(), Optional.empty()));
        assertThat(scene.deviceIs("er1")).isEqualTo("Available");
        assertThat(scene.device("er1").link()).isEqualTo(Device.Link.NONE);
    }

    @Test
    void aPodAtItsEndHasNothingAnyMore() {
        Pod there = podWithDevice();

        scene.seen(there.toBuilder().phase(Phase.SUCCEEDED).build()).settle();

        assertThat(scene.deviceIs("er1")).isEqualTo("Available");
    }

    @Test
    void aTerminatingPodKeepsItsDevicesUntilItIsGone() {
        Pod there = podWithDevice();

        scene.seen(there.toBuilder().terminating(true).build()).settle();

        assertThat(scene.deviceIs("er1")).isEqualTo("Bound");
        assertThat(scene.refusal(pod("q", "k80-erc"))).contains("ExtendedResourceClaim k80-erc is bound to pod p");
    }

    @Test
    void aPodOfTheSameNameAndAnotherUidWaitsForTheOldOneToGo() {
        scene.seen(device("er1", "n2", "k80")).seen(claim("k80-erc", "k80", 1));
        scene.bound(pod("web-0", "k80-erc").uid("old"));
        assertThat(scene.refusal(pod("web-0", "k80-erc").uid("new"))).contains("is bound to pod web-0");

        scene.gone("old").settle().advance(Duration.ofSeconds(2));

        assertThat(scene.decide()).anyMatch(Effect.Bind.class::isInstance);
    }

    @Test
    void deletingTheClaimDoesNotFreeTheDeviceWhileThePodRuns() {
        podWithDevice();

        scene.claimGone("k80-erc").seen(claim("other", "k80", 1)).settle();

        assertThat(scene.deviceIs("er1")).isEqualTo("Bound");
        assertThat(scene.refusal(pod("q", "other"))).contains("less than pod needs (used by pod default/p)");
    }

    @Test
    void aClaimCreatedAnewUnderItsNameFindsItsPodAgain() {
        podWithDevice();

        scene.claimGone("k80-erc").settle();
        scene.seen(claim("k80-erc", "k80", 1)).settle();

        assertThat(scene.phaseOf("k80-erc")).isEqualTo("Bound");
    }

    @Test
    void aMissingDeviceMakesTheClaimLostAndItsReturnBoundAgain() {
        podWithDevice();

        scene.deviceGone("er1").settle();
        assertThat(scene.phaseOf("k80-erc")).isEqualTo("Lost");
        assertThat(scene.claim("k80-erc").status().reason()).isEqualTo("ExtendedResource er1 not found in cluster.");
        assertThat(scene.told).anyMatch(event -> event.note().contains("er1 not found"));

        scene.seen(device("er1", "n2", "k80")).settle();
        assertThat(scene.phaseOf("k80-erc")).isEqualTo("Bound");
        assertThat(scene.deviceIs("er1")).isEqualTo("Bound");
    }

    @Test
    void aSilentNodeGivesUpItsDevicesAfterTwoMinutesAndGetsThemBack() {
        podWithDevice();
        scene.seen(silent(aNode("n2").with("8 cpu").build()))
                .advance(Duration.ofSeconds(119))
                .settle();
        assertThat(scene.deviceIs("er1")).isEqualTo("Bound");
        assertThat(scene.decider.nextWake()).contains(scene.now.plusSeconds(1));

        scene.advance(Duration.ofSeconds(1)).settle();
        assertThat(scene.device("er1").status()).isEqualTo(new ObjectStatus("Pending", "", "Node n2 is not ready"));
        assertThat(scene.claim("k80-erc").status().reason()).isEqualTo("ExtendedResource er1: Node n2 is not ready");
        assertThat(scene.phaseOf("k80-erc")).isEqualTo("Lost");

        scene.seen(aNode("n2").with("8 cpu")).settle();
        assertThat(scene.deviceIs("er1")).isEqualTo("Bound");
        assertThat(scene.phaseOf("k80-erc")).isEqualTo("Bound");
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
                Optional.of(scene.now));
    }

    @Test
    void aNodeThatIsGoneTakesItsDevicesWithItUntilItIsBack() {
        scene.seen(device("er1", "n1", "k80")).settle();

        scene.nodeGone("n1").settle();
        assertThat(scene.device("er1").status())
                .isEqualTo(new ObjectStatus("Pending", "", "no node matches spec.nodeAffinity.required"));

        scene.seen(aNode("n1").uid("another").with("8 cpu")).settle();
        assertThat(scene.deviceIs("er1")).isEqualTo("Available");
    }

    @Test
    void aBindThatFailsGivesTheDevicesBack() {
        scene.seen(device("er1", "n2", "k80")).seen(claim("k80-erc", "k80", 1)).seen(pod("p", "k80-erc"));
        Effect.Bind bind = (Effect.Bind) scene.decide().get(0);
        scene.settle();
        assertThat(scene.phaseOf("k80-erc")).isEqualTo("Pending");
        assertThat(scene.claim("k80-erc").status().reason())
                .isEqualTo("extended resource have been satisfied and waiting to bound");

        scene.decider.notBound(bind, Optional.of("no"), scene.now);
        scene.settle();

        assertThat(scene.phaseOf("k80-erc")).isEmpty();
        assertThat(scene.deviceIs("er1")).isEqualTo("Available");
    }

    @Test
    void twoPodsThatComeAtOnceDoNotGetTheSameDevice() {
        scene.seen(device("er1", "n1", "k80"))
                .seen(device("er2", "n1", "k80"))
                .seen(claim("a", "k80", 1))
                .seen(claim("b", "k80", 1))
                .seen(pod("p", "a"))
                .seen(pod("q", "b"));

        List<String> records = scene.decide().stream()
                .map(effect ->
                        String.valueOf(((Effect.Bind) effect).annotations().get(DeviceUse.ANNOTATION)))
                .toList();

        assertThat(records).containsExactlyInAnyOrder("a=er1", "b=er2");
    }

    @Test
    void aClaimByNameGetsThatDeviceAndIsByNameAgainAfterwards() {
        scene.seen(device("er1", "n1", "k80")).seen(device("er10", "n2", "k80")).seen(claimOn("mine", 0, "er10"));

        assertThat(scene.bound(pod("p", "mine")).nodeName()).contains("n2");
        scene.gone("p").settle();

        assertThat(scene.claim("mine").written())
                .isEqualTo(new DeviceClaim.Written(List.of("er10"), Optional.empty(), Optional.empty()));
    }

    @Test
    void aClaimOnSomeByNameAndMoreGetsOthersBesides() {
        scene.seen(device("er1", "n1", "k80"))
                .seen(device("er2", "n1", "k80"))
                .seen(device("er3", "n1", "k80"))
                .seen(claimOn("mine", 3, "er2"));

        assertThat(scene.bound(pod("p", "mine")).annotations().get(DeviceUse.ANNOTATION))
                .contains("mine=er1,er2,er3");
    }

    @Test
    void allClaimsOfAPodAreMetTogetherOrNotAtAll() {
        scene.seen(device("er1", "n1", "k80"))
                .seen(device("er2", "n2", "k80"))
                .seen(device("er3", "n2", "v100"))
                .seen(claim("slow", "k80", 1))
                .seen(claim("fast", "v100", 1));

        Pod there = scene.bound(pod("p", "slow, fast,slow"));

        assertThat(there.nodeName()).contains("n2");
        assertThat(there.annotations().get(DeviceUse.ANNOTATION)).contains("fast=er3;slow=er2");
    }

    @Test
    void claimsThatCanBeMetOneByOneButNotTogetherAreRefused() {
        scene.seen(device("er1", "n1", "k80"))
                .seen(device("er2", "n1", "v100"))
                .seen(claim("a", "k80", 1))
                .seen(claim("b", "k80", 1));

        assertThat(scene.refusal(pod("p", "a,b")))
                .contains("1 node can allocate extended resource are not satisfy pod needs");
    }

    @Test
    void thingsOfAnotherKindAreNotGivenEvenByName() {
        scene.seen(device(Made.ref("", "disk1", "1"), List.of(Made.host("n1")), "example.com/disk", Labels.NONE))
                .seen(claimOn("mine", 0, "disk1"));

        assertThat(scene.refusal(pod("p", "mine")))
                .contains("extended resource that can be allocated are not satisfy [mine] needs");
    }

    @Test
    void refusalsSayWhatIsMissing() {
        scene.seen(device("er1", "n1", "k80")).seen(claim("two", "k80", 2)).seen(claimOn("named", 0, "er4"));

        assertThat(scene.refusal(pod("p", "absent")))
                .isEqualTo("0/2 nodes are available: 2 extendedresourceclaims \"absent\" not found.");
        assertThat(scene.refusal(pod("q", "two")))
                .isEqualTo("0/2 nodes are available: "
                        + "2 extended resources that can be allocated on this node are less than pod needs.");
        assertThat(scene.refusal(pod("r", "named")))
                .isEqualTo("0/2 nodes are available: 2 there are no such [er4] extended resource.");
    }

    @Test
    void aNamedDeviceThatAnotherHasIsUnavailable() {
        scene.seen(device("er1", "n1", "k80")).seen(claim("any", "k80", 1)).seen(claimOn("named", 0, "er1"));
        scene.bound(pod("p", "any"));

        assertThat(scene.refusal(pod("q", "named")))
                .contains(
                        "1 there are unavailable extended resources in extended resource claim (used by pod default/p)");
    }

    @Test
    void aRefusalDoesNotBlameAPodWhoseDevicesTheClaimDoesNotAskFor() {
        scene.seen(device("er1", "n1", "k80")).seen(device("er2", "n1", "k80")).seen(claim("any", "k80", 1));
        scene.bound(pod("d1", "any"));
        scene.seen(claimOn("absent", 0, "e9")).seen(claim("v100", "v100", 1)).seen(claim("three", "k80", 3));

        assertThat(scene.refusal(pod("p", "absent")))
                .isEqualTo("0/2 nodes are available: 2 there are no such [e9] extended resource.");
        assertThat(scene.refusal(pod("q", "v100")))
                .isEqualTo("0/2 nodes are available: "
                        + "1 extended resource that can be allocated are not satisfy [v100] needs, "
                        + "1 extended resources that can be allocated on this node are less than pod needs.");
        assertThat(scene.refusal(pod("r", "three")))
                .as("a pod that has a device of the kind is named")
                .contains("less than pod needs (used by pod default/d1)");
    }

    @Test
    void aRefusalNamesTheUsersOfDevicesForTheClaimThatIsNotMet() {
        scene.seen(device("er1", "n1", "k80"))
                .seen(device("er2", "n1", "k80"))
                .seen(device("er3", "n1", "v100"))
                .seen(claimOn("mine", 0, "er1"))
                .seen(claim("k80", "k80", 1))
                .seen(claimOn("spare", 0, "er4"))
                .seen(claim("v100", "v100", 1))
                .seen(claim("other", "v100", 1))
                .seen(device("er4", "n1", "p4"));
        scene.bound(pod("d1", "mine"));
        scene.bound(pod("d2", "other"));

        assertThat(scene.refusal(pod("p", "k80,v100"))).contains("not satisfy [v100] needs (used by pod default/d2)");
    }

    @Test
    void aPodThatHasDevicesOnSeveralNodesIsNamedOnce() {
        scene.seen(device("er1", "n1", "k80")).seen(device("er2", "n1", "k80")).seen(claim("two", "k80", 2));
        scene.bound(pod("d1", "two"));
        scene.seen(Made.moved(scene.device("er2"), "n2")).seen(claim("any", "k80", 1));

        assertThat(scene.refusal(pod("p", "any")))
                .isEqualTo("0/2 nodes are available: 2 extended resources that can be allocated on this node"
                        + " are less than pod needs (used by pod default/d1).");
    }

    @Test
    void aRefusalNamesOnlyHoldsThatKeepWhatTheClaimAsksFor() {
        scene.seen(device("er1", "n1", "k80")).seen(device("er2", "n1", "v100")).seen(claim("k80-erc", "k80", 1));
        keep("kept", "er1");
        keep("unrelated", "er2");

        assertThat(scene.refusal(pod("p", "k80-erc")))
                .contains("1 Insufficient extended resources (held by Reservation kept)");
    }

    private void keep(String hold, String device) {
        scene.decider.learn(
                new Fact.HoldSeen(aHold(hold)
                        .on("n1")
                        .keeping("1 cpu")
                        .keepingDevice(device)
                        .forPodsLabelled("app", "web")
                        .build()),
                scene.now);
    }

    @Test
    void aPodThatWaitsForAClaimOfAnotherIsToldWhenTheClaimIsGone() {
        podWithDevice();
        assertThat(scene.refusal(pod("q", "k80-erc"))).contains("ExtendedResourceClaim k80-erc is bound to pod p");

        scene.claimGone("k80-erc").settle().advance(Duration.ofSeconds(2));
        assertThat(condition()).contains("extendedresourceclaims \"k80-erc\" not found");

        scene.seen(claim("k80-erc", "k80", 1)).settle().advance(Duration.ofSeconds(5));
        assertThat(condition()).contains("ExtendedResourceClaim k80-erc is bound to pod p");
    }

    @Test
    void aPodThatWaitsIsToldWhenItsClaimAsksForSomethingElse() {
        scene.seen(claimOn("mine", 0, "er7"));
        assertThat(scene.refusal(pod("q", "mine"))).contains("no such [er7]");

        scene.settle().seen(claimOn("mine", 0, "er8")).settle().advance(Duration.ofSeconds(2));

        assertThat(condition()).contains("no such [er8]");
    }

    /** What the condition of the one pod that is decided on says. */
    private String condition() {
        return scene.decide().stream()
                .filter(Effect.MarkUnscheduled.class::isInstance)
                .map(effect -> ((Effect.MarkUnscheduled) effect).message())
                .findFirst()
                .orElse("the condition is not written");
    }

    @Test
    void aClaimThatMakesNoSenseIsToldToItsAuthorAndToThePods() {
        scene.seen(claimOn("empty", 0))
                .seen(claimOn("negative", -1))
                .seen(claimOn("more", 1, "a", "b"))
                .seen(claimOn("twice", 0, "a", "a"))
                .settle();

        assertThat(scene.claim("empty").status().message()).contains("one of them must say what is wanted");
        assertThat(scene.claim("negative").status().message()).contains("(-1) is negative");
        assertThat(scene.claim("more").status().message()).contains("[a, b] are more than");
        assertThat(scene.claim("twice").status().message()).contains("names a device twice");
        assertThat(scene.told).hasSize(4);
        assertThat(scene.refusal(pod("p", "empty"))).contains("ExtendedResourceClaim empty: spec");
    }

    @Test
    void aDeviceThatIsOnNoNodeSaysSo() {
        scene.seen(device(Made.ref("", "er9", "1"), List.of(), Made.GPU, Labels.NONE))
                .settle();

        assertThat(scene.device("er9").status().message())
                .isEqualTo("spec.nodeAffinity.required says of no node that the device is there");
    }

    @Test
    void ofTwoDevicesOfOneNameTheFirstByGroupCountsAndTheOtherSaysSo() {
        Device own = device("er1", "n1", "k80");
        Device forked = device(
                new ObjectRef("extensions", "", "er1", "forked", "1"), own.nodes(), own.resource(), own.properties());
        scene.decider.learn(new DeviceFact.DeviceSeen(own), scene.now);
        scene.decider.learn(new DeviceFact.DeviceSeen(forked), scene.now);
        scene.decider.settle(scene.now);

        assertThat(scene.decider.takeEffects())
                .extracting(effect -> ((DeviceWrite) effect).ref().group() + ": "
                        + ((DeviceWrite) effect).status().phase()
                        + ((DeviceWrite) effect).status().message())
                .containsExactlyInAnyOrder(
                        "extensions: Available",
                        "extensions.berth.dev: Pendingthere is another of this name in the group extensions");
    }

    @Test
    void aPodThatWaitsForADeviceIsWokenByIt() {
        scene.seen(claim("k80-erc", "k80", 1));
        assertThat(scene.refusal(pod("p", "k80-erc"))).contains("less than pod needs");

        scene.settle()
                .seen(device("er1", "n1", "k80"))
                .advance(Duration.ofSeconds(2))
                .settle();

        assertThat(scene.decide()).anyMatch(Effect.Bind.class::isInstance);
    }

    @Test
    void aPodThatWaitsForItsClaimIsWokenByIt() {
        scene.seen(device("er1", "n1", "k80"));
        assertThat(scene.refusal(pod("p", "k80-erc"))).contains("not found");

        scene.settle()
                .seen(claim("k80-erc", "k80", 1))
                .advance(Duration.ofSeconds(2))
                .settle();

        assertThat(scene.decide()).anyMatch(Effect.Bind.class::isInstance);
    }

    @Test
    void aDeviceThatAHoldKeepsIsForItsOwnersAlone() {
        scene.seen(device("er1", "n1", "k80")).seen(claim("k80-erc", "k80", 1));
        scene.decider.learn(
                new Fact.HoldSeen(aHold("h")
                        .on("n1")
                        .keeping("1 cpu")
                        .keepingDevice("er1")
                        .forPodsLabelled("app", "web")
                        .build()),
                scene.now);

        assertThat(scene.refusal(pod("p", "k80-erc")))
                .contains("1 Insufficient extended resources (held by Reservation h)");
        Pod owner = scene.bound(pod("q", "k80-erc").labelled("app", "web"));
        assertThat(owner.annotations().get(DeviceUse.ANNOTATION)).contains("k80-erc=er1");
    }

    @Test
    void whatWasWrittenIsNotWrittenAgain() {
        podWithDevice();
        int writes = scene.written.size();

        scene.seen(aPod("other").asking("1 cpu").on("n1")).settle();

        assertThat(scene.written).hasSize(writes);
        assertThat(writes).isEqualTo(2);
    }

    @Test
    void afterAConflictTheDoorWaitsForWhatIsNew() {
        scene.decider.learn(new DeviceFact.DeviceSeen(device("er1", "n1", "k80")), scene.now);
        scene.decider.settle(scene.now);
        DeviceWrite write = (DeviceWrite) scene.decider.takeEffects().get(0);
        scene.decider.written(write, new Outcome(Outcome.Kind.CONFLICT, "changed"), scene.now);
        scene.decider.settle(scene.now);
        assertThat(scene.decider.takeEffects()).isEmpty();

        Device newer = device(Made.ref("", "er1", "2"), List.of(Made.host("n1")), Made.GPU, Labels.NONE);
        scene.decider.learn(new DeviceFact.DeviceSeen(newer), scene.now);
        scene.decider.settle(scene.now);

        assertThat(scene.decider.takeEffects())
                .singleElement()
                .satisfies(effect ->
                        assertThat(((DeviceWrite) effect).ref().version()).isEqualTo("2"));
    }

    @Test
    void aDeniedStatusIsWrittenAgainAndTheDeviceSaysSo() {
        answerFirstWrite(Outcome.Kind.DENIED);
        assertThat(scene.told).singleElement().satisfies(event -> {
            assertThat(event.subject().toString()).isEqualTo("ExtendedResource er1");
            assertThat(event.note()).startsWith("The API server denied a write: because.");
        });
        scene.settle();
        assertThat(scene.written).isEmpty();

        scene.advance(Duration.ofSeconds(1)).settle();

        assertThat(scene.deviceIs("er1")).isEqualTo("Available");
        assertThat(scene.told).hasSize(2);
    }

    @Test
    void aStatusThatMetAConflictWithoutANewVersionIsWrittenAgain() {
        answerFirstWrite(Outcome.Kind.CONFLICT);
        assertThat(scene.decider.nextWake()).contains(scene.now.plusSeconds(1));

        scene.advance(Duration.ofSeconds(1)).settle();

        assertThat(scene.deviceIs("er1")).isEqualTo("Available");
    }

    @Test
    void aStatusThatWasAnsweredWithNotFoundIsWrittenAgain() {
        answerFirstWrite(Outcome.Kind.GONE);

        scene.advance(Duration.ofSeconds(10)).settle();

        assertThat(scene.deviceIs("er1")).isEqualTo("Available");
    }

    @Test
    void aStatusWhoseEchoIsLostIsWrittenAgain() {
        answerFirstWrite(Outcome.Kind.WRITTEN);

        scene.advance(Duration.ofSeconds(10)).settle();

        assertThat(scene.deviceIs("er1")).isEqualTo("Available");
    }

    private void answerFirstWrite(Outcome.Kind kind) {
        scene.seen(aNode("n1").with("8 cpu")).seen(device("er1", "n1", "k80"));
        scene.decider.settle(scene.now);
        DeviceWrite write = (DeviceWrite) scene.decider.takeEffects().get(0);
        scene.decider.written(write, new Outcome(kind, "because"), scene.now);
        scene.decider.settle(scene.now);
        scene.decider.takeEffects().forEach(effect -> scene.told.add((Effect.Announce) effect));
    }

    @Test
    void aRestartedBerthFindsEverythingAsItWas() {
        Pod there = podWithDevice();

        Scene again = new Scene();
        again.seen(scene.claim("k80-erc"))
                .seen(there)
                .seen(scene.device("er1"))
                .seen(aNode("n1").with("8 cpu"))
                .seen(aNode("n2").with("8 cpu"))
                .settle();

        assertThat(again.written).isEmpty();
        assertThat(again.refusal(pod("q", "k80-erc"))).contains("is bound to pod p");
    }

    @Test
    void deviceThatNamesABlankPodIsFree() {
        Device made = device("er1", "n2", "k80");
        scene.seen(new Device(
                        made.ref(),
                        made.nodes(),
                        made.resource(),
                        made.id(),
                        made.properties(),
                        new Device.Link("default", "k80-erc", " "),
                        made.status(),
                        made.problem()))
                .seen(claim("k80-erc", "k80", 1));

        Pod there = scene.bound(pod("p", "k80-erc"));

        assertThat(there.annotations().get(DeviceUse.ANNOTATION)).contains("k80-erc=er1");
    }

    @Test
    void whatAPodLeftWhileNobodyLookedIsFreedAtTheStart() {
        podWithDevice();

        Scene again = new Scene();
        again.seen(scene.claim("k80-erc"))
                .seen(scene.device("er1"))
                .seen(aNode("n2").with("8 cpu"))
                .settle();

        assertThat(again.phaseOf("k80-erc")).isEmpty();
        assertThat(again.deviceIs("er1")).isEqualTo("Available");
    }
}
