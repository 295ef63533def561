package dev.berth.core.door.reserve;

import static dev.berth.core.door.reserve.ReserveDesk.group;
import static dev.berth.core.door.reserve.ReserveDesk.groupBy;
import static dev.berth.core.door.reserve.ReserveDesk.seat;
import static dev.berth.core.testing.Amounts.amounts;
import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Phase;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Fact;
import dev.berth.core.decision.Outcome;
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

class ReserveDoorTest {
    private static final Node N1 =
            aNode("n1").with("2 cpu", "5000 memory", "10 pods").build();
    private static final Node N2 =
            aNode("n2").with("2 cpu", "5000 memory", "10 pods").build();

    private final ReserveDesk berth = new ReserveDesk();

    @BeforeEach
    void aClusterOfTwo() {
        berth.add(N1);
        berth.add(N2);
    }

    private static PodBuilder small(String name) {
        return aPod(name).asking("1 cpu", "1000 memory");
    }

    private static Pod pod(String name) {
        return small(name).build();
    }

    @Test
    void aGroupThatFitsIsKept() {
        assertThat(berth.reserve(seat(pod("a"), "n1"), seat(pod("b"), "n1"))).isEqualTo(ReserveAnswer.DONE);
        assertThat(berth.free("n1")).isEqualTo(amounts("3000 memory", "8 pods"));
        assertThat(berth.objects.values())
                .singleElement()
                .satisfies(object -> assertThat(object.spec().words()).isEqualTo("2 pods on n1"));
    }

    @Test
    void aPodThatAnotherSchedulerBindsOntoReservedRoomIsReportedOnTheNodeAndOnTheHold() {
        berth.reserve(seat(pod("a"), "n1"), seat(pod("b"), "n1"));
        berth.add(aPod("intruder").asking("2 cpu").on("n1").build());
        String hold = berth.objects.keySet().iterator().next();
        String missing = "node n1 is over-committed: 2 cpu of what is reserved there are not available; pods there that"
                + " use no hold: default/intruder (scheduler default-scheduler)";
        assertThat(berth.events)
                .containsExactly(
                        "Node n1: %s; reserved by: Hold %s for pod default/a of scheduler batch, Hold %2$s for pod default/b of scheduler batch"
                                .formatted(missing, hold),
                        "Hold %s: %s".formatted(hold, missing));
    }

    @Test
    void aGroupThatDoesNotFitIsNotKeptAtAll() {
        ReserveAnswer answer = berth.reserve(seat(pod("a"), "n1"), seat(pod("b"), "n1"), seat(pod("c"), "n1"));

        assertThat(answer.failedPods()).containsExactly("c");
        assertThat(answer.error()).isEqualTo("Node does not have enough resource");
        assertThat(answer.details())
                .containsExactly("Pod default/c does not fit on node n1: Insufficient cpu: 1 more needed, 0 free"
                        + " (allocatable 2, used 0, held 0, taken by this group's other pods 2)");
        assertThat(berth.kept()).isEmpty();
        assertThat(berth.objects).isEmpty();
    }

    @Test
    void aGroupThatHoldsKeepOutIsToldWhoseTheyAre() {
        Instant end = berth.clock.instant().plusSeconds(3600);
        berth.learn(new Fact.HoldSeen(aHold("r")
                .on("n1")
                .keeping("2 cpu")
                .keepingHostPort(80)
                .from(Origin.Door.RESERVATION, "Reservation r")
                .until(end)
                .build()));
        Pod web = aPod("web").asking("1 cpu").withHostPort(80).build();
        assertThat(berth.reserve(seat(web, "n1")).details())
                .containsExactly(
                        "Pod default/web does not fit on node n1: Insufficient cpu: 1 more needed, 0 free (allocatable 2, used 0, held 2: 2 by Reservation r until %s), host port 80 is taken by Reservation r"
                                .formatted(end));
    }

    @Test
    void aMissingNodeIsNamedBeforeRoomIsLookedAt() {
        Pod giant = aPod("giant").asking("99 cpu").build();

        ReserveAnswer answer = berth.reserve(seat(giant, "n1"), seat(pod("b"), "n9"));

        assertThat(answer.failedPods()).containsExactly("b");
        assertThat(answer.error()).isEqualTo("Node does not exist");
    }

    @Test
    void aResourceThatTheNodeDoesNotHaveDoesNotFit() {
        Pod odd = aPod("odd").asking("1 example.com/gpu").build();

        assertThat(berth.reserve(seat(odd, "n1")).error()).isEqualTo("Node does not have enough resource");
    }

    @Test
    void hostPortsAreKeptToo() {
        berth.reserve(seat(small("a").withHostPort(80).build(), "n1"));

        ReserveAnswer answer = berth.reserve(seat(small("b").withHostPort(80).build(), "n1"));

        assertThat(answer.error()).isEqualTo("Node does not have the host port free");
        assertThat(berth.reserve(
                                seat(small("b").withHostPort(81).build(), "n1"),
                                seat(small("c").withHostPort(81).build(), "n1"))
                        .failedPods())
                .containsExactly("c");
        assertThat(berth.reserve(seat(small("a").withHostPort(80).build(), "n1")))
                .as("its own port is no obstacle")
                .isEqualTo(ReserveAnswer.DONE);
    }

    @Test
    void nonsenseIsRefusedInWords() {
        assertThat(berth.reserve(new ReserveRequest(" ", List.of())))
                .isEqualTo(ReserveAnswer.notUnderstood("Scheduler name is not specified"));
        assertThat(berth.reserve(seat(pod("a"), "n1"), seat(small("b").uid("a").build(), "n2"))
                        .error())
                .isEqualTo("Pod default/b: metadata.uid (a) is in the group twice");
        assertThat(berth.reserve(seat(small("a").in(Phase.SUCCEEDED).build(), "n1"))
                        .error())
                .isEqualTo("Pod default/a: status.phase (SUCCEEDED) is that of a pod at its end, which needs no room");
        assertThat(berth.reserve()).as("an empty group has all it wants").isEqualTo(ReserveAnswer.DONE);
        assertThat(berth.objects).isEmpty();
    }

    @Test
    void whatBerthKnowsBetterIsSaid() {
        berth.add(small("there").on("n1").build());
        berth.add(small("done").on("n1").in(Phase.FAILED).build());
        berth.add(small("leaving").terminating().build());

        assertThat(berth.reserve(seat(pod("there"), "n2")).error())
                .isEqualTo("Pod default/there is bound to node n1 already");
        assertThat(berth.reserve(seat(pod("done"), "n1")).error()).isEqualTo("Pod default/done has ended (FAILED)");
        assertThat(berth.reserve(seat(pod("leaving"), "n1")).error()).isEqualTo("Pod default/leaving is being deleted");
        assertThat(berth.reserve(seat(pod("there"), "n1")))
                .as("it has its room by itself")
                .isEqualTo(ReserveAnswer.DONE);
        assertThat(berth.kept()).isEmpty();
    }

    @Test
    void askingAgainKeepsItOnce() {
        Pod whole = aPod("whole").asking("2 cpu").build();
        berth.reserve(seat(whole, "n1"));
        berth.clock.advance(Duration.ofSeconds(50));

        assertThat(berth.reserve(seat(whole, "n1"))).isEqualTo(ReserveAnswer.DONE);

        assertThat(berth.objects).hasSize(1);
        berth.clock.advance(Duration.ofSeconds(50));
        berth.tick();
        assertThat(berth.kept()).as("its time runs anew").containsExactly("whole on n1");
    }

    @Test
    void aPodThatGoesElsewhereLeavesNothingBehind() {
        berth.reserve(seat(pod("a"), "n1"), seat(pod("b"), "n1"));

        assertThat(berth.reserve(seat(pod("a"), "n2"))).isEqualTo(ReserveAnswer.DONE);

        assertThat(berth.kept()).containsExactly("a on n2", "b on n1");
        assertThat(berth.objects.values().stream().map(object -> object.spec().words()))
                .containsExactlyInAnyOrder("default/a on n2", "default/b on n1");
    }

    @Test
    void theOldPlaceIsKeptUntilTheNewOneIsPromised() {
        berth.reserve(seat(pod("a"), "n1"));
        ReserveDesk.Call call = berth.ask(group(seat(pod("a"), "n2")));
        assertThat(berth.kept()).containsExactly("a on n1", "a on n2");

        berth.answerNext(Outcome.Kind.DENIED, "no room in etcd");

        assertThat(call.answer().orElseThrow().error()).contains("no room in etcd");
        assertThat(berth.kept()).containsExactly("a on n1");
    }

    @Test
    void nobodyIsPromisedWhatIsNotWritten() {
        ReserveDesk.Call call = berth.ask(group(seat(pod("a"), "n1")));

        assertThat(call.answer()).isEmpty();
        assertThat(berth.free("n1"))
                .as("its room is kept already")
                .isEqualTo(amounts("1 cpu", "4000 memory", "9 pods"));
        assertThat(berth.ledger().holdsFor(pod("a"))).isEmpty();

        berth.write();

        assertThat(call.answer()).contains(ReserveAnswer.DONE);
        assertThat(berth.ledger().holdsFor(pod("a"))).hasSize(1);
    }

    @Test
    void aServerThatDoesNotAnswerCostsTheGroupItsPlaces() {
        ReserveDesk.Call call = berth.ask(group(seat(pod("a"), "n1")));
        berth.clock.advance(Duration.ofMillis(3_500));
        berth.tick();

        assertThat(call.answer().orElseThrow().failedPods()).containsExactly("a");
        assertThat(call.answer().orElseThrow().error()).contains("3500 ms");
        assertThat(berth.kept()).isEmpty();
        assertThat(berth.objects).isEmpty();
    }

    @Test
    void whatIsWrittenTooLateIsDeleted() {
        ReserveDesk.Call call = berth.ask(group(seat(pod("a"), "n1")));
        berth.writeUnheard();
        berth.clock.advance(Duration.ofMillis(3_500));
        berth.tick();

        assertThat(call.answer().orElseThrow().done()).isFalse();
        assertThat(berth.kept()).isEmpty();
        assertThat(berth.objects).isEmpty();
    }

    @Test
    void whoeverBindsThePodAnywhereEndsThePlace() {
        berth.add(pod("a"));
        berth.add(pod("b"));
        berth.reserve(seat(pod("a"), "n1"), seat(pod("b"), "n1"));

        berth.learn(new Fact.PodSeen(small("a").on("n2").build()));
        berth.goOn();

        assertThat(berth.kept()).containsExactly("b on n1");
        assertThat(berth.free("n1")).isEqualTo(amounts("1 cpu", "4000 memory", "9 pods"));
        assertThat(berth.objects.values())
                .singleElement()
                .satisfies(object -> assertThat(object.spec().words()).isEqualTo("default/b on n1"));
        berth.add(small("b").on("n1").build());
        berth.goOn();
        assertThat(berth.kept()).isEmpty();
        assertThat(berth.objects).isEmpty();
        assertThat(berth.free("n1")).isEqualTo(amounts("1 cpu", "4000 memory", "9 pods"));
    }

    @Test
    void everyOtherEndGivesTheRoomBack() {
        Pod deleted = pod("deleted");
        berth.add(deleted);
        berth.reserve(seat(deleted, "n1"));
        berth.remove(deleted);
        berth.goOn();
        assertThat(berth.objects).as("deleted before it was bound").isEmpty();

        berth.reserve(seat(pod("ended"), "n1"));
        berth.add(small("ended").in(Phase.FAILED).build());
        berth.goOn();
        assertThat(berth.objects).as("terminal").isEmpty();

        berth.reserve(seat(pod("late"), "n1"));
        berth.clock.advance(Duration.ofSeconds(60));
        berth.tick();
        assertThat(berth.objects).as("time is up").isEmpty();

        berth.reserve(seat(pod("given"), "n1"));
        assertThat(berth.unreserve(seat(pod("given"), "n2"))).isEqualTo(ReserveAnswer.DONE);
        assertThat(berth.objects).as("the wrong node does not matter").isEmpty();

        berth.reserve(seat(pod("homeless"), "n1"));
        berth.remove(N1);
        berth.goOn();
        assertThat(berth.objects).as("node gone").isEmpty();
        assertThat(berth.kept()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void unreserveUnderAnotherSchedulerNameReleasesNothingAndSaysSo(boolean afterARestart) {
        berth.reserve(seat(pod("a"), "n1"), seat(pod("b"), "n1"));
        if (afterARestart) {
            berth.restart(true);
        }

        for (String other : List.of("other", "schedulername_is_empty", "Batch")) {
            ReserveAnswer answer = berth.unreserve(groupBy(other, seat(pod("a"), "n1"), seat(pod("unknown"), "n1")));

            assertThat(answer.failedPods()).containsExactly("a");
            assertThat(answer.error())
                    .isEqualTo(
                            "Not released: Pod default/a: its place was reserved under another SchedulerName than %s,"
                                            .formatted(other)
                                    + " and stays. Send the SchedulerName that reserved it");
        }
        assertThat(berth.kept()).containsExactly("a on n1", "b on n1");

        assertThat(berth.unreserve(seat(pod("a"), "n1"))).isEqualTo(ReserveAnswer.DONE);
        assertThat(berth.kept()).containsExactly("b on n1");
    }

    @Test
    void anAnonymousCallerReleasesAnonymousPlacesAlone() {
        berth.reserve(groupBy("schedulername_is_empty", seat(pod("a"), "n1")));
        berth.reserve(seat(pod("b"), "n1"));

        assertThat(berth.unreserve(groupBy("schedulername_is_empty", seat(pod("a"), "n1"), seat(pod("b"), "n1")))
                        .failedPods())
                .containsExactly("b");

        assertThat(berth.kept()).containsExactly("b on n1");
    }

    /** Else a caller could take a place away by reserving a smaller one elsewhere for the same pod. */
    @Test
    void aReservationOfAnotherSchedulerForTheSamePodReplacesNothing() {
        berth.reserve(seat(pod("a"), "n1"));

        assertThat(berth.reserve(
                        groupBy("other", seat(aPod("a").asking("1m cpu").build(), "n2"))))
                .isEqualTo(ReserveAnswer.DONE);

        assertThat(berth.kept()).containsExactly("a on n1", "a on n2 by other");
        assertThat(berth.unreserve(groupBy("other", seat(pod("a"), "n1")))).isEqualTo(ReserveAnswer.DONE);
        assertThat(berth.kept()).containsExactly("a on n1");
        berth.add(small("a").on("n1").build());
        berth.goOn();
        assertThat(berth.objects).isEmpty();
    }

    @Test
    void aSchedulerNameLongerThanKubernetesAllowsIsRefused() {
        ReserveRequest request = groupBy("s".repeat(254), seat(pod("a"), "n1"));

        assertThat(berth.reserve(request).error())
                .isEqualTo("SchedulerName (ssssssssssssssssssss...) has 254 characters, and 253 are the most");
        assertThat(berth.unreserve(request).understood()).isFalse();
    }

    @Test
    void whoDeletesTheObjectGivesThePlacesBack() {
        berth.reserve(seat(pod("a"), "n1"));
        String uid = berth.objects.values().iterator().next().uid();
        berth.objects.clear();

        berth.learn(new HoldFact.Gone(uid));
        berth.goOn();

        assertThat(berth.kept()).isEmpty();
        assertThat(berth.objects).isEmpty();
    }

    @Test
    void anObjectThatMakesNoSenseIsToldSo() {
        berth.learn(new HoldFact.Malformed("odd", "u", "spec.deadline (soon) is no time"));
        berth.learn(new HoldFact.Malformed("odd", "u", "spec.deadline (soon) is no time"));

        assertThat(berth.events)
                .containsExactly("Hold odd: Berth keeps nothing for it: spec.deadline (soon) is no time");
    }

    @Test
    void holdThatIsEditedIntoSomethingMalformedKeepsItsPlacesAndIsWrittenBack() {
        berth.reserve(seat(pod("a"), "n1"));
        HoldFact.Seen before = berth.objects.values().iterator().next();

        berth.edit(before.name(), "size.cpu (-1) is negative");

        assertThat(berth.kept()).containsExactly("a on n1");
        assertThat(berth.events)
                .containsExactly(
                        "Hold %s: Berth keeps its places as before the edit and writes them back: size.cpu (-1) is negative"
                                .formatted(before.name()));
        assertThat(berth.onTheirWay()).containsExactly("Shrink");
        berth.goOn();
        assertThat(berth.objects.values()).containsExactly(before);
        berth.restart(true);
        assertThat(berth.kept()).containsExactly("a on n1");
    }

    @Test
    void holdThatIsEditedToAnImpossibleTimeKeepsItsPlacesAndIsWrittenBack() {
        berth.reserve(seat(pod("a"), "n1"));
        HoldFact.Seen before = berth.objects.values().iterator().next();
        HoldSpec far = new HoldSpec(
                before.spec().scheduler(),
                ReserveDesk.LAST,
                ReserveDesk.LAST,
                before.spec().places());

        berth.learn(new HoldFact.Seen(before.name(), before.uid(), far));
        assertThat(berth.kept()).containsExactly("a on n1");
        berth.goOn();

        assertThat(berth.objects.values()).containsExactly(before);
    }

    @Test
    void malformedHoldEndsInItsTimeAndIsDeleted() {
        berth.reserve(seat(pod("a"), "n1"));
        String name = berth.objects.keySet().iterator().next();
        berth.edit(name, "size.cpu (-1) is negative");
        berth.answerNext(Outcome.Kind.DENIED, "forbidden");

        berth.clock.advance(Duration.ofMinutes(2));
        berth.tick();

        assertThat(berth.kept()).isEmpty();
        assertThat(berth.objects).isEmpty();
    }

    @Test
    void aHoldMadeInTheYear9999KeepsNothingAndTheNextGroupIsReserved() {
        berth.objects.put("far", far(ReserveDesk.LAST, berth.clock.instant().plusSeconds(60)));
        berth.restart(true);

        assertThat(berth.events)
                .singleElement()
                .asString()
                .contains("Hold far", "Berth keeps nothing for it", "spec.made (9999-12-31T23:59:59.999Z)");
        assertThat(berth.reserve(seat(pod("a"), "n1"), seat(pod("b"), "n1"))).isEqualTo(ReserveAnswer.DONE);
        assertThat(berth.reserve(seat(pod("c"), "n2"))).isEqualTo(ReserveAnswer.DONE);
    }

    @Test
    void aHoldThatWouldLastUntilTheYear9999KeepsNothingAndSaysSo() {
        berth.learn(far(berth.clock.instant(), ReserveDesk.LAST));

        assertThat(berth.events)
                .singleElement()
                .asString()
                .contains("Hold far", "spec.deadline (9999-12-31T23:59:59.999Z) is more than 48 hours");
        assertThat(berth.kept()).isEmpty();
    }

    private static HoldFact.Seen far(Instant made, Instant deadline) {
        Place place = new Place(
                new Place.Guest(new PodUid("x"), "default", "x"),
                new Place.Host(N1.uid(), "n1"),
                amounts("1 cpu"),
                List.of());
        return new HoldFact.Seen("far", "uid-far", new HoldSpec("hostile", made, deadline, List.of(place)));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatWasPromisedOutlivesTheProcess(boolean holdsFirst) {
        berth.add(pod("a"));
        berth.reserve(seat(pod("a"), "n1"), seat(pod("b"), "n2"));

        berth.restart(holdsFirst);

        assertThat(berth.kept()).containsExactly("a on n1", "b on n2");
        assertThat(berth.ledger().holdsFor(pod("a"))).hasSize(1);
        berth.clock.advance(Duration.ofSeconds(60));
        berth.tick();
        assertThat(berth.kept()).isEmpty();
        assertThat(berth.objects).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatEndedWhileNobodyLookedIsTakenBackAtTheStart(boolean holdsFirst) {
        berth.reserve(seat(pod("a"), "n1"), seat(pod("b"), "n2"), seat(pod("c"), "n1"));
        berth.add(small("a").on("n2").build());
        berth.remove(N2);
        berth.restart(holdsFirst);

        assertThat(berth.kept()).containsExactly("c on n1");
        assertThat(berth.objects.values())
                .singleElement()
                .satisfies(object -> assertThat(object.spec().words()).isEqualTo("default/c on n1"));
    }

    @Test
    void aDeathBetweenWriteAndAnswerLeavesAllOfTheGroupOrNothing() {
        berth.ask(group(seat(pod("a"), "n1"), seat(pod("b"), "n2")));
        berth.restart(true);
        assertThat(berth.kept()).as("nothing was written").isEmpty();

        berth.ask(group(seat(pod("a"), "n1"), seat(pod("b"), "n2")));
        berth.writeUnheard();
        berth.restart(true);
        assertThat(berth.kept()).as("all of it was").containsExactly("a on n1", "b on n2");

        assertThat(berth.reserve(seat(pod("a"), "n1"), seat(pod("b"), "n2")))
                .as("who heard nothing asks again")
                .isEqualTo(ReserveAnswer.DONE);
        assertThat(berth.objects).hasSize(1);
    }

    @Test
    void berthsOwnSchedulerUsesThePlaceForItsPod() {
        Pod mine =
                small("mine").with(pod -> pod.schedulerName("berth-scheduler")).build();
        berth.add(small("x").on("n1").build());
        berth.reserve(seat(mine, "n1"));
        berth.add(mine);

        assertThat(berth.schedule()).singleElement().isInstanceOfSatisfying(Effect.Bind.class, bind -> {
            assertThat(bind.node()).isEqualTo("n1");
            assertThat(bind.annotations()).containsEntry(Claim.ANNOTATION, "reserve/mine/n1/batch");
        });
        assertThat(berth.ledger().claimsOf(new HoldId("reserve/mine/n1/batch"))).hasSize(1);
        assertThat(berth.reserve(seat(mine, "n2")).error())
                .isEqualTo("Pod default/mine is being bound to node n1 by Berth itself");
        berth.add(small("mine").on("n1").using("reserve/mine/n1/batch").build());
        berth.goOn();
        assertThat(berth.kept()).isEmpty();
        assertThat(berth.objects).isEmpty();
        assertThat(berth.free("n1")).isEqualTo(amounts("3000 memory", "8 pods"));
    }

    @Test
    void aPodThatIsDeletedWhileItsGroupIsWrittenCostsAllTheirPlaces() {
        berth.add(pod("a"));
        ReserveDesk.Call call = berth.ask(group(seat(pod("a"), "n1"), seat(pod("b"), "n2")));
        berth.remove(pod("a"));

        assertThat(call.answer().orElseThrow().error()).isEqualTo("Pod default/a is gone meanwhile");
        berth.goOn();
        assertThat(berth.kept()).isEmpty();
        assertThat(berth.objects).isEmpty();
    }

    @Test
    void whatNobodyWaitsForAnyMoreIsTakenBackAndWhatWasPromisedBeforeStays() {
        berth.reserve(seat(pod("a"), "n1"));
        berth.askAndLeave(group(seat(pod("a"), "n2"), seat(pod("b"), "n2")));
        berth.goOn();

        assertThat(berth.kept()).containsExactly("a on n1");
        assertThat(berth.objects.values())
                .singleElement()
                .satisfies(object -> assertThat(object.spec().words()).isEqualTo("default/a on n1"));
    }

    @Test
    void aDeletionThatIsRefusedIsTriedAgainUntilItIsGoneAndSaidOnce() {
        berth.reserve(seat(pod("a"), "n1"));
        String name = berth.objects.keySet().iterator().next();
        giveBackInVain("a");
        Instant deadline = berth.objects.values().iterator().next().spec().deadline();

        for (int seconds : List.of(1, 2, 4, 8)) {
            berth.clock.advance(Duration.ofSeconds(seconds).minusMillis(1));
            berth.tick();
            assertThat(berth.objects).as("not before %d s", seconds).hasSize(1);
            berth.clock.advance(Duration.ofMillis(1));
            berth.wake();
            assertThat(berth.onTheirWay()).containsExactly("Delete");
            berth.answerNext(Outcome.Kind.DENIED, "webhook says no");
        }
        assertThat(berth.events)
                .containsExactly(
                        ("Hold %s: The API server denied a write: webhook says no. The room of its places that are over"
                                        + " stays kept, and no pod can use it, until then or until %s. Berth tries"
                                        + " again, at least once a minute.")
                                .formatted(name, deadline));

        berth.clock.advance(Duration.ofMinutes(5));
        berth.tick();
        assertThat(berth.objects).isEmpty();
        assertThat(berth.nextWake()).as("nothing is left to be tried").isEmpty();
    }

    @Test
    void anObjectThatMayNotBeShortenedIsShortenedLater() {
        berth.reserve(seat(pod("a"), "n1"), seat(pod("b"), "n1"));
        giveBackInVain("a");
        assertThat(berth.events).singleElement().asString().contains("The API server denied a write: webhook says no.");

        berth.clock.advance(Duration.ofSeconds(1));
        berth.tick();

        assertThat(berth.kept()).containsExactly("b on n1");
        assertThat(berth.objects.values())
                .singleElement()
                .satisfies(object -> assertThat(object.spec().words()).isEqualTo("default/b on n1"));
    }

    @Test
    void aConflictWithoutNewsIsTriedAgainToo() {
        berth.reserve(seat(pod("a"), "n1"));
        berth.unreserveUnsent(seat(pod("a"), "n1"));
        berth.answerNext(Outcome.Kind.CONFLICT, "somebody was quicker");
        assertThat(berth.onTheirWay()).isEmpty();

        berth.clock.advance(Duration.ofSeconds(1));
        berth.tick();

        assertThat(berth.objects).isEmpty();
        assertThat(berth.events).isEmpty();
    }

    @Test
    void aGroupThatIsRefusedAfterALostAnswerIsDeletedWhenItShows() {
        ReserveDesk.Call call = berth.ask(group(seat(pod("a"), "n1")));
        berth.writeUnheard(() -> berth.answerNext(Outcome.Kind.DENIED, "webhook says no"));
        assertThat(call.answer().orElseThrow().done()).isFalse();
        assertThat(berth.objects).hasSize(1);

        berth.echo();

        assertThat(berth.kept()).isEmpty();
        assertThat(berth.objects).isEmpty();
    }

    @Test
    void aConflictWhenItIsWrittenPromisesNothingUntilItIsThere() {
        ReserveDesk.Call call = berth.ask(group(seat(pod("a"), "n1")));
        berth.answerNext(Outcome.Kind.CONFLICT, "somebody was quicker");
        assertThat(call.answer()).as("nothing was written").isEmpty();

        berth.clock.advance(Duration.ofSeconds(1));
        berth.tick();

        assertThat(call.answer()).contains(ReserveAnswer.DONE);
        assertThat(berth.objects).hasSize(1);
    }

    private void giveBackInVain(String pod) {
        berth.unreserveUnsent(seat(pod(pod), "n1"));
        berth.answerNext(Outcome.Kind.DENIED, "webhook says no");
    }
}
