package dev.berth.core.door.globalreserve;

import static dev.berth.core.door.globalreserve.GlobalReserveScene.assignment;
import static dev.berth.core.door.globalreserve.GlobalReserveScene.group;
import static dev.berth.core.door.globalreserve.GlobalReserveScene.groupBy;
import static dev.berth.core.testing.Amounts.amounts;
import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodPhase;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GlobalReserveDoorTest {
    private static final Node N1 =
            aNode("n1").with("2 cpu", "5000 memory", "10 pods").build();
    private static final Node N2 =
            aNode("n2").with("2 cpu", "5000 memory", "10 pods").build();

    private final GlobalReserveScene berth = new GlobalReserveScene();

    @BeforeEach
    void aClusterOfTwo() {
        berth.upsert(N1);
        berth.upsert(N2);
    }

    private static PodBuilder small(String name) {
        return aPod(name).asking("1 cpu", "1000 memory");
    }

    private static Pod pod(String name) {
        return small(name).build();
    }

    @Test
    void aGroupThatFitsIsReserved() {
        assertThat(berth.reserve(assignment(pod("a"), "n1"), assignment(pod("b"), "n1")))
                .isEqualTo(ReserveResponse.SUCCESS);
        assertThat(berth.free("n1")).isEqualTo(amounts("3000 memory", "8 pods"));
        assertThat(berth.objects.values())
                .singleElement()
                .satisfies(object -> assertThat(object.spec().summary()).isEqualTo("2 pods on n1"));
    }

    @Test
    void aPodThatAnotherSchedulerBindsOntoReservedCapacityIsReportedOnTheNodeAndOnTheHold() {
        berth.reserve(assignment(pod("a"), "n1"), assignment(pod("b"), "n1"));
        berth.upsert(aPod("intruder").asking("2 cpu").on("n1").build());
        String hold = berth.objects.keySet().iterator().next();
        String missing = "node n1 is over-committed: 2 cpu of what is reserved there are not available; pods there that"
                + " use no hold: default/intruder (scheduler default-scheduler)";
        assertThat(berth.events)
                .containsExactly(
                        "Node n1: %s; reserved by: StoredHold %s for pod default/a of scheduler batch, StoredHold %2$s for pod default/b of scheduler batch"
                                .formatted(missing, hold),
                        "StoredHold %s: %s".formatted(hold, missing));
    }

    @Test
    void aGroupThatDoesNotFitReservesNothing() {
        ReserveResponse answer =
                berth.reserve(assignment(pod("a"), "n1"), assignment(pod("b"), "n1"), assignment(pod("c"), "n1"));

        assertThat(answer.failedPods()).containsExactly("c");
        assertThat(answer.error()).isEqualTo("Node does not have enough resource");
        assertThat(answer.details())
                .containsExactly("Pod default/c does not fit on node n1: Insufficient cpu: 1 more needed, 0 free"
                        + " (allocatable 2, used 0, held 0, used by other pods of this group 2)");
        assertThat(berth.heldPlaces()).isEmpty();
        assertThat(berth.objects).isEmpty();
    }

    @Test
    void theRejectionOfAGroupThatHoldsBlockNamesTheHolds() {
        Instant end = berth.clock.instant().plusSeconds(3600);
        berth.deliver(new Fact.HoldUpserted(aHold("r")
                .on("n1")
                .keeping("2 cpu")
                .keepingHostPort(80)
                .from(Origin.DoorId.KOORDINATOR, "Reservation r")
                .until(end)
                .build()));
        Pod web = aPod("web").asking("1 cpu").withHostPort(80).build();
        assertThat(berth.reserve(assignment(web, "n1")).details())
                .containsExactly(
                        "Pod default/web does not fit on node n1: Insufficient cpu: 1 more needed, 0 free (allocatable 2, used 0, held 2: 2 by Reservation r until %s), host port 80 is in use by Reservation r"
                                .formatted(end));
    }

    @Test
    void aMissingNodeIsReportedBeforeMissingCapacity() {
        Pod giant = aPod("giant").asking("99 cpu").build();

        ReserveResponse answer = berth.reserve(assignment(giant, "n1"), assignment(pod("b"), "n9"));

        assertThat(answer.failedPods()).containsExactly("b");
        assertThat(answer.error()).isEqualTo("Node does not exist");
    }

    @Test
    void aResourceThatTheNodeDoesNotHaveDoesNotFit() {
        Pod odd = aPod("odd").asking("1 example.com/gpu").build();

        assertThat(berth.reserve(assignment(odd, "n1")).error()).isEqualTo("Node does not have enough resource");
    }

    @Test
    void hostPortsAreReserved() {
        berth.reserve(assignment(small("a").withHostPort(80).build(), "n1"));

        ReserveResponse answer =
                berth.reserve(assignment(small("b").withHostPort(80).build(), "n1"));

        assertThat(answer.error()).isEqualTo("Node does not have the host port free");
        assertThat(berth.reserve(
                                assignment(small("b").withHostPort(81).build(), "n1"),
                                assignment(small("c").withHostPort(81).build(), "n1"))
                        .failedPods())
                .containsExactly("c");
        assertThat(berth.reserve(assignment(small("a").withHostPort(80).build(), "n1")))
                .as("its own port is no obstacle")
                .isEqualTo(ReserveResponse.SUCCESS);
    }

    @Test
    void malformedRequestsAreRejectedWithAReason() {
        assertThat(berth.reserve(new ReserveRequest(" ", List.of())))
                .isEqualTo(ReserveResponse.invalidRequest("Scheduler name is not specified"));
        assertThat(berth.reserve(
                                assignment(pod("a"), "n1"),
                                assignment(small("b").uid("a").build(), "n2"))
                        .error())
                .isEqualTo("Pod default/b: metadata.uid (a) occurs twice in the group");
        assertThat(berth.reserve(assignment(small("a").in(PodPhase.SUCCEEDED).build(), "n1"))
                        .error())
                .isEqualTo("Pod default/a: status.phase (SUCCEEDED): the pod has finished and needs no place");
        assertThat(berth.reserve()).as("an empty group has all it wants").isEqualTo(ReserveResponse.SUCCESS);
        assertThat(berth.objects).isEmpty();
    }

    @Test
    void podsThatBerthKnowsToBeBoundOrFinishedAreRejected() {
        berth.upsert(small("there").on("n1").build());
        berth.upsert(small("done").on("n1").in(PodPhase.FAILED).build());
        berth.upsert(small("leaving").terminating().build());

        assertThat(berth.reserve(assignment(pod("there"), "n2")).error())
                .isEqualTo("Pod default/there is already bound to node n1");
        assertThat(berth.reserve(assignment(pod("done"), "n1")).error())
                .isEqualTo("Pod default/done has finished (FAILED)");
        assertThat(berth.reserve(assignment(pod("leaving"), "n1")).error())
                .isEqualTo("Pod default/leaving is being deleted");
        assertThat(berth.reserve(assignment(pod("there"), "n1")))
                .as("it has its room by itself")
                .isEqualTo(ReserveResponse.SUCCESS);
        assertThat(berth.heldPlaces()).isEmpty();
    }

    @Test
    void reservingTheSamePodAgainHoldsOnePlace() {
        Pod whole = aPod("whole").asking("2 cpu").build();
        berth.reserve(assignment(whole, "n1"));
        berth.clock.advance(Duration.ofSeconds(50));

        assertThat(berth.reserve(assignment(whole, "n1"))).isEqualTo(ReserveResponse.SUCCESS);

        assertThat(berth.objects).hasSize(1);
        berth.clock.advance(Duration.ofSeconds(50));
        berth.runAfterTimePassed();
        assertThat(berth.heldPlaces()).as("its time runs anew").containsExactly("whole on n1");
    }

    @Test
    void reservingAPodOnAnotherNodeReleasesTheOldPlace() {
        berth.reserve(assignment(pod("a"), "n1"), assignment(pod("b"), "n1"));

        assertThat(berth.reserve(assignment(pod("a"), "n2"))).isEqualTo(ReserveResponse.SUCCESS);

        assertThat(berth.heldPlaces()).containsExactly("a on n2", "b on n1");
        assertThat(berth.objects.values().stream().map(object -> object.spec().summary()))
                .containsExactlyInAnyOrder("default/a on n2", "default/b on n1");
    }

    @Test
    void theOldPlaceIsHeldUntilTheNewOneIsDurable() {
        berth.reserve(assignment(pod("a"), "n1"));
        GlobalReserveScene.Call call = berth.submitReserve(group(assignment(pod("a"), "n2")));
        assertThat(berth.heldPlaces()).containsExactly("a on n1", "a on n2");

        berth.answerNextWrite(WriteResult.ResultKind.DENIED, "no room in etcd");

        assertThat(call.response().orElseThrow().error()).contains("no room in etcd");
        assertThat(berth.heldPlaces()).containsExactly("a on n1");
    }

    @Test
    void theCallerGetsNoResponseBeforeTheObjectIsWritten() {
        GlobalReserveScene.Call call = berth.submitReserve(group(assignment(pod("a"), "n1")));

        assertThat(call.response()).isEmpty();
        assertThat(berth.free("n1"))
                .as("its room is kept already")
                .isEqualTo(amounts("1 cpu", "4000 memory", "9 pods"));
        assertThat(berth.ledger().holdsFor(pod("a"))).isEmpty();

        berth.completeWrites();

        assertThat(call.response()).contains(ReserveResponse.SUCCESS);
        assertThat(berth.ledger().holdsFor(pod("a"))).hasSize(1);
    }

    @Test
    void aGroupIsRejectedIfTheApiServerDoesNotAnswerInTime() {
        GlobalReserveScene.Call call = berth.submitReserve(group(assignment(pod("a"), "n1")));
        berth.clock.advance(Duration.ofMillis(3_500));
        berth.runAfterTimePassed();

        assertThat(call.response().orElseThrow().failedPods()).containsExactly("a");
        assertThat(call.response().orElseThrow().error()).contains("3500 ms");
        assertThat(berth.heldPlaces()).isEmpty();
        assertThat(berth.objects).isEmpty();
    }

    @Test
    void anObjectThatIsCreatedAfterTheTimeoutIsDeleted() {
        GlobalReserveScene.Call call = berth.submitReserve(group(assignment(pod("a"), "n1")));
        berth.applyNextWriteWithoutAnswer();
        berth.clock.advance(Duration.ofMillis(3_500));
        berth.runAfterTimePassed();

        assertThat(call.response().orElseThrow().succeeded()).isFalse();
        assertThat(berth.heldPlaces()).isEmpty();
        assertThat(berth.objects).isEmpty();
    }

    @Test
    void bindingThePodToAnyNodeByAnySchedulerEndsThePlace() {
        berth.upsert(pod("a"));
        berth.upsert(pod("b"));
        berth.reserve(assignment(pod("a"), "n1"), assignment(pod("b"), "n1"));

        berth.deliver(new Fact.PodUpserted(small("a").on("n2").build()));
        berth.completeAll();

        assertThat(berth.heldPlaces()).containsExactly("b on n1");
        assertThat(berth.free("n1")).isEqualTo(amounts("1 cpu", "4000 memory", "9 pods"));
        assertThat(berth.objects.values())
                .singleElement()
                .satisfies(object -> assertThat(object.spec().summary()).isEqualTo("default/b on n1"));
        berth.upsert(small("b").on("n1").build());
        berth.completeAll();
        assertThat(berth.heldPlaces()).isEmpty();
        assertThat(berth.objects).isEmpty();
        assertThat(berth.free("n1")).isEqualTo(amounts("1 cpu", "4000 memory", "9 pods"));
    }

    @Test
    void everyOtherEndReleasesTheCapacity() {
        Pod deleted = pod("deleted");
        berth.upsert(deleted);
        berth.reserve(assignment(deleted, "n1"));
        berth.delete(deleted);
        berth.completeAll();
        assertThat(berth.objects).as("deleted before it was bound").isEmpty();

        berth.reserve(assignment(pod("ended"), "n1"));
        berth.upsert(small("ended").in(PodPhase.FAILED).build());
        berth.completeAll();
        assertThat(berth.objects).as("terminal").isEmpty();

        berth.reserve(assignment(pod("late"), "n1"));
        berth.clock.advance(Duration.ofSeconds(60));
        berth.runAfterTimePassed();
        assertThat(berth.objects).as("time is up").isEmpty();

        berth.reserve(assignment(pod("given"), "n1"));
        assertThat(berth.unreserve(assignment(pod("given"), "n2"))).isEqualTo(ReserveResponse.SUCCESS);
        assertThat(berth.objects).as("the wrong node does not matter").isEmpty();

        berth.reserve(assignment(pod("homeless"), "n1"));
        berth.delete(N1);
        berth.completeAll();
        assertThat(berth.objects).as("node gone").isEmpty();
        assertThat(berth.heldPlaces()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void unreserveUnderAnotherSchedulerNameReleasesNothingAndSaysSo(boolean afterARestart) {
        berth.reserve(assignment(pod("a"), "n1"), assignment(pod("b"), "n1"));
        if (afterARestart) {
            berth.restart(true);
        }

        for (String other : List.of("other", "schedulername_is_empty", "Batch")) {
            ReserveResponse answer =
                    berth.unreserve(groupBy(other, assignment(pod("a"), "n1"), assignment(pod("unknown"), "n1")));

            assertThat(answer.failedPods()).containsExactly("a");
            assertThat(answer.error())
                    .isEqualTo(
                            "Not released: Pod default/a: its place stays, because it was not reserved under the SchedulerName %s. Send the SchedulerName that reserved it"
                                    .formatted(other));
        }
        assertThat(berth.heldPlaces()).containsExactly("a on n1", "b on n1");

        assertThat(berth.unreserve(assignment(pod("a"), "n1"))).isEqualTo(ReserveResponse.SUCCESS);
        assertThat(berth.heldPlaces()).containsExactly("b on n1");
    }

    @Test
    void aCallerWithoutASchedulerNameReleasesOnlyPlacesWithoutOne() {
        berth.reserve(groupBy("schedulername_is_empty", assignment(pod("a"), "n1")));
        berth.reserve(assignment(pod("b"), "n1"));

        assertThat(berth.unreserve(groupBy(
                                "schedulername_is_empty", assignment(pod("a"), "n1"), assignment(pod("b"), "n1")))
                        .failedPods())
                .containsExactly("b");

        assertThat(berth.heldPlaces()).containsExactly("b on n1");
    }

    /** Else a caller could take a place away by reserving a smaller one elsewhere for the same pod. */
    @Test
    void aReservationOfAnotherSchedulerForTheSamePodReplacesNothing() {
        berth.reserve(assignment(pod("a"), "n1"));

        assertThat(berth.reserve(
                        groupBy("other", assignment(aPod("a").asking("1m cpu").build(), "n2"))))
                .isEqualTo(ReserveResponse.SUCCESS);

        assertThat(berth.heldPlaces()).containsExactly("a on n1", "a on n2 by other");
        assertThat(berth.unreserve(groupBy("other", assignment(pod("a"), "n1"))))
                .isEqualTo(ReserveResponse.SUCCESS);
        assertThat(berth.heldPlaces()).containsExactly("a on n1");
        berth.upsert(small("a").on("n1").build());
        berth.completeAll();
        assertThat(berth.objects).isEmpty();
    }

    @Test
    void aSchedulerNameLongerThanKubernetesAllowsIsRefused() {
        ReserveRequest request = groupBy("s".repeat(254), assignment(pod("a"), "n1"));

        assertThat(berth.reserve(request).error())
                .isEqualTo("SchedulerName (ssssssssssssssssssss...) has 254 characters; the maximum is 253");
        assertThat(berth.unreserve(request).requestValid()).isFalse();
    }

    @Test
    void deletingTheObjectReleasesItsPlaces() {
        berth.reserve(assignment(pod("a"), "n1"));
        String uid = berth.objects.values().iterator().next().uid();
        berth.objects.clear();

        berth.deliver(new StoredHoldFact.Deleted(uid));
        berth.completeAll();

        assertThat(berth.heldPlaces()).isEmpty();
        assertThat(berth.objects).isEmpty();
    }

    @Test
    void aMalformedObjectIsReportedByAnEvent() {
        berth.deliver(new StoredHoldFact.Malformed("odd", "u", "spec.expiresAt (soon) is no time"));
        berth.deliver(new StoredHoldFact.Malformed("odd", "u", "spec.expiresAt (soon) is no time"));

        assertThat(berth.events)
                .containsExactly(
                        "StoredHold odd: Berth reserves nothing for this object: spec.expiresAt (soon) is no time");
    }

    @Test
    void holdThatIsEditedIntoSomethingMalformedKeepsItsPlacesAndIsWrittenBack() {
        berth.reserve(assignment(pod("a"), "n1"));
        StoredHoldFact.Upserted before = berth.objects.values().iterator().next();

        berth.editMalformed(before.name(), "resources.cpu (-1) is negative");

        assertThat(berth.heldPlaces()).containsExactly("a on n1");
        assertThat(berth.events)
                .containsExactly(
                        "StoredHold %s: Berth restores the spec as it was before the edit: resources.cpu (-1) is negative"
                                .formatted(before.name()));
        assertThat(berth.pendingWriteKinds()).containsExactly("Update");
        berth.completeAll();
        assertThat(berth.objects.values()).containsExactly(before);
        berth.restart(true);
        assertThat(berth.heldPlaces()).containsExactly("a on n1");
    }

    @Test
    void holdThatIsEditedToAnImpossibleTimeKeepsItsPlacesAndIsWrittenBack() {
        berth.reserve(assignment(pod("a"), "n1"));
        StoredHoldFact.Upserted before = berth.objects.values().iterator().next();
        StoredHoldSpec far = new StoredHoldSpec(
                before.spec().schedulerName(),
                GlobalReserveScene.LATEST_TIME,
                GlobalReserveScene.LATEST_TIME,
                before.spec().places());

        berth.deliver(new StoredHoldFact.Upserted(before.name(), before.uid(), far));
        assertThat(berth.heldPlaces()).containsExactly("a on n1");
        berth.completeAll();

        assertThat(berth.objects.values()).containsExactly(before);
    }

    @Test
    void aMalformedHoldExpiresAtItsDeadlineAndIsDeleted() {
        berth.reserve(assignment(pod("a"), "n1"));
        String name = berth.objects.keySet().iterator().next();
        berth.editMalformed(name, "resources.cpu (-1) is negative");
        berth.answerNextWrite(WriteResult.ResultKind.DENIED, "forbidden");

        berth.clock.advance(Duration.ofMinutes(2));
        berth.runAfterTimePassed();

        assertThat(berth.heldPlaces()).isEmpty();
        assertThat(berth.objects).isEmpty();
    }

    @Test
    void aStoredHoldRequestedInTheYear9999ReservesNothingAndTheNextGroupIsReserved() {
        berth.objects.put(
                "far", far(GlobalReserveScene.LATEST_TIME, berth.clock.instant().plusSeconds(60)));
        berth.restart(true);

        assertThat(berth.events)
                .singleElement()
                .asString()
                .contains(
                        "StoredHold far",
                        "Berth reserves nothing for this object",
                        "spec.requestedAt (9999-12-31T23:59:59.999Z)");
        assertThat(berth.reserve(assignment(pod("a"), "n1"), assignment(pod("b"), "n1")))
                .isEqualTo(ReserveResponse.SUCCESS);
        assertThat(berth.reserve(assignment(pod("c"), "n2"))).isEqualTo(ReserveResponse.SUCCESS);
    }

    @Test
    void aHoldThatWouldLastUntilTheYear9999HoldsNothingAndIsReported() {
        berth.deliver(far(berth.clock.instant(), GlobalReserveScene.LATEST_TIME));

        assertThat(berth.events)
                .singleElement()
                .asString()
                .contains("StoredHold far", "spec.expiresAt (9999-12-31T23:59:59.999Z) is more than 48 hours");
        assertThat(berth.heldPlaces()).isEmpty();
    }

    private static StoredHoldFact.Upserted far(Instant made, Instant deadline) {
        ReservedPlace place = new ReservedPlace(
                new ReservedPlace.PodIdentity(new PodUid("x"), "default", "x"),
                new ReservedPlace.NodeIdentity(N1.uid(), "n1"),
                amounts("1 cpu"),
                List.of());
        return new StoredHoldFact.Upserted(
                "far", "uid-far", new StoredHoldSpec("hostile", made, deadline, List.of(place)));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aReservedGroupIsHeldAfterARestart(boolean holdsFirst) {
        berth.upsert(pod("a"));
        berth.reserve(assignment(pod("a"), "n1"), assignment(pod("b"), "n2"));

        berth.restart(holdsFirst);

        assertThat(berth.heldPlaces()).containsExactly("a on n1", "b on n2");
        assertThat(berth.ledger().holdsFor(pod("a"))).hasSize(1);
        berth.clock.advance(Duration.ofSeconds(60));
        berth.runAfterTimePassed();
        assertThat(berth.heldPlaces()).isEmpty();
        assertThat(berth.objects).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void placesThatEndedWhileBerthWasDownAreReleasedAtTheStart(boolean holdsFirst) {
        berth.reserve(assignment(pod("a"), "n1"), assignment(pod("b"), "n2"), assignment(pod("c"), "n1"));
        berth.upsert(small("a").on("n2").build());
        berth.delete(N2);
        berth.restart(holdsFirst);

        assertThat(berth.heldPlaces()).containsExactly("c on n1");
        assertThat(berth.objects.values())
                .singleElement()
                .satisfies(object -> assertThat(object.spec().summary()).isEqualTo("default/c on n1"));
    }

    @Test
    void aKillBetweenWriteAndResponseLeavesAllOfTheGroupOrNothing() {
        berth.submitReserve(group(assignment(pod("a"), "n1"), assignment(pod("b"), "n2")));
        berth.restart(true);
        assertThat(berth.heldPlaces()).as("nothing was written").isEmpty();

        berth.submitReserve(group(assignment(pod("a"), "n1"), assignment(pod("b"), "n2")));
        berth.applyNextWriteWithoutAnswer();
        berth.restart(true);
        assertThat(berth.heldPlaces()).as("all of it was").containsExactly("a on n1", "b on n2");

        assertThat(berth.reserve(assignment(pod("a"), "n1"), assignment(pod("b"), "n2")))
                .as("who heard nothing asks again")
                .isEqualTo(ReserveResponse.SUCCESS);
        assertThat(berth.objects).hasSize(1);
    }

    @Test
    void berthsOwnSchedulerUsesThePlaceForItsPod() {
        Pod mine =
                small("mine").with(pod -> pod.schedulerName("berth-scheduler")).build();
        berth.upsert(small("x").on("n1").build());
        berth.reserve(assignment(mine, "n1"));
        berth.upsert(mine);

        assertThat(berth.schedule()).singleElement().isInstanceOfSatisfying(Effect.Bind.class, bind -> {
            assertThat(bind.node()).isEqualTo("n1");
            assertThat(bind.annotations()).containsEntry(Claim.ANNOTATION, "globalreserve/mine/n1/batch");
        });
        assertThat(berth.ledger().claimsOn(new HoldId("globalreserve/mine/n1/batch")))
                .hasSize(1);
        assertThat(berth.reserve(assignment(mine, "n2")).error())
                .isEqualTo("Pod default/mine is being bound to node n1 by Berth itself");
        berth.upsert(small("mine").on("n1").using("globalreserve/mine/n1/batch").build());
        berth.completeAll();
        assertThat(berth.heldPlaces()).isEmpty();
        assertThat(berth.objects).isEmpty();
        assertThat(berth.free("n1")).isEqualTo(amounts("3000 memory", "8 pods"));
    }

    @Test
    void aGroupIsRejectedIfOneOfItsPodsIsDeletedWhileItIsWritten() {
        berth.upsert(pod("a"));
        GlobalReserveScene.Call call =
                berth.submitReserve(group(assignment(pod("a"), "n1"), assignment(pod("b"), "n2")));
        berth.delete(pod("a"));

        assertThat(call.response().orElseThrow().error()).isEqualTo("Pod default/a was deleted");
        berth.completeAll();
        assertThat(berth.heldPlaces()).isEmpty();
        assertThat(berth.objects).isEmpty();
    }

    @Test
    void aGroupWhoseCallerDisconnectedIsReleasedAndEarlierPlacesStay() {
        berth.reserve(assignment(pod("a"), "n1"));
        berth.submitReserveAndDisconnect(group(assignment(pod("a"), "n2"), assignment(pod("b"), "n2")));
        berth.completeAll();

        assertThat(berth.heldPlaces()).containsExactly("a on n1");
        assertThat(berth.objects.values())
                .singleElement()
                .satisfies(object -> assertThat(object.spec().summary()).isEqualTo("default/a on n1"));
    }

    @Test
    void aDeniedDeletionIsRetriedAndReportedOnce() {
        berth.reserve(assignment(pod("a"), "n1"));
        String name = berth.objects.keySet().iterator().next();
        unreserveWithoutEffect("a");
        Instant deadline = berth.objects.values().iterator().next().spec().deadline();

        for (int seconds : List.of(1, 2, 4, 8)) {
            berth.clock.advance(Duration.ofSeconds(seconds).minusMillis(1));
            berth.runAfterTimePassed();
            assertThat(berth.objects).as("not before %d s", seconds).hasSize(1);
            berth.clock.advance(Duration.ofMillis(1));
            berth.runDueTimers();
            assertThat(berth.pendingWriteKinds()).containsExactly("Delete");
            berth.answerNextWrite(WriteResult.ResultKind.DENIED, "webhook says no");
        }
        assertThat(berth.events)
                .containsExactly(
                        ("StoredHold %s: The API server denied a write: webhook says no. The resources of ended"
                                        + " places stay held, and no pod can use them, until the write succeeds or until"
                                        + " %s. Berth tries again, at least once a minute.")
                                .formatted(name, deadline));

        berth.clock.advance(Duration.ofMinutes(5));
        berth.runAfterTimePassed();
        assertThat(berth.objects).isEmpty();
        assertThat(berth.nextWake()).as("nothing is left to be tried").isEmpty();
    }

    @Test
    void aDeniedUpdateIsRetried() {
        berth.reserve(assignment(pod("a"), "n1"), assignment(pod("b"), "n1"));
        unreserveWithoutEffect("a");
        assertThat(berth.events).singleElement().asString().contains("The API server denied a write: webhook says no.");

        berth.clock.advance(Duration.ofSeconds(1));
        berth.runAfterTimePassed();

        assertThat(berth.heldPlaces()).containsExactly("b on n1");
        assertThat(berth.objects.values())
                .singleElement()
                .satisfies(object -> assertThat(object.spec().summary()).isEqualTo("default/b on n1"));
    }

    @Test
    void aConflictWithoutANewVersionIsRetried() {
        berth.reserve(assignment(pod("a"), "n1"));
        berth.submitUnreserve(assignment(pod("a"), "n1"));
        berth.answerNextWrite(WriteResult.ResultKind.CONFLICT, "the object has been modified");
        assertThat(berth.pendingWriteKinds()).isEmpty();

        berth.clock.advance(Duration.ofSeconds(1));
        berth.runAfterTimePassed();

        assertThat(berth.objects).isEmpty();
        assertThat(berth.events).isEmpty();
    }

    @Test
    void aGroupThatIsRejectedAfterALostAnswerIsDeletedWhenItIsSeen() {
        GlobalReserveScene.Call call = berth.submitReserve(group(assignment(pod("a"), "n1")));
        berth.applyNextWriteWithoutAnswer(
                () -> berth.answerNextWrite(WriteResult.ResultKind.DENIED, "webhook says no"));
        assertThat(call.response().orElseThrow().succeeded()).isFalse();
        assertThat(berth.objects).hasSize(1);

        berth.deliverWatchEvents();

        assertThat(berth.heldPlaces()).isEmpty();
        assertThat(berth.objects).isEmpty();
    }

    @Test
    void afterAConflictOnCreateTheCallerWaitsUntilTheObjectIsSeen() {
        GlobalReserveScene.Call call = berth.submitReserve(group(assignment(pod("a"), "n1")));
        berth.answerNextWrite(WriteResult.ResultKind.CONFLICT, "the object has been modified");
        assertThat(call.response()).as("nothing was written").isEmpty();

        berth.clock.advance(Duration.ofSeconds(1));
        berth.runAfterTimePassed();

        assertThat(call.response()).contains(ReserveResponse.SUCCESS);
        assertThat(berth.objects).hasSize(1);
    }

    private void unreserveWithoutEffect(String pod) {
        berth.submitUnreserve(assignment(pod(pod), "n1"));
        berth.answerNextWrite(WriteResult.ResultKind.DENIED, "webhook says no");
    }
}
