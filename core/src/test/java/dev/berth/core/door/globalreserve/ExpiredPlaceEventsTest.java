package dev.berth.core.door.globalreserve;

import static dev.berth.core.door.globalreserve.GlobalReserveScene.assignment;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A place whose time is over before its pod is bound leaves an event and a line in the log. */
class ExpiredPlaceEventsTest {
    private static final Node N1 = aNode("n1").with("8 cpu", "20 pods").build();

    private final GlobalReserveScene berth = new GlobalReserveScene();

    @BeforeEach
    void aNodeAndAGroupOfTwoOfWhichOneExists() {
        berth.upsert(N1);
        berth.upsert(pod("a"));
        berth.reserve(assignment(pod("a"), "n1"), assignment(pod("b"), "n1"));
    }

    private static Pod pod(String name) {
        return aPod(name).asking("1 cpu").build();
    }

    private String hold() {
        return "StoredHold " + berth.objects.keySet().iterator().next();
    }

    private void timePasses() {
        berth.clock.advance(GlobalReserveSettings.DEFAULT.reservationTtl());
        berth.runAfterTimePassed();
    }

    @Test
    void anUnusedExpiredPlaceIsReportedOnItsPodOrIfThereIsNoneOnTheHold() {
        String hold = hold();
        berth.clock.advance(GlobalReserveSettings.DEFAULT.reservationTtl().minusSeconds(1));
        berth.runAfterTimePassed();
        assertThat(berth.events).isEmpty();

        timePasses();

        assertThat(berth.heldPlaces()).isEmpty();
        assertThat(berth.events)
                .containsExactlyInAnyOrder(
                        "Pod default/a: No scheduler bound the pod to node n1 before its place there expired (" + hold
                                + " of scheduler batch). Its capacity is free.",
                        hold
                                + ": No scheduler bound pod default/b on node n1 before its place expired. Its capacity is free.");
        assertThat(berth.logged)
                .containsExactly(hold + " of scheduler batch expired: No scheduler bound pods default/a on node n1,"
                        + " default/b on node n1 before their places expired. Their capacity is free.");
    }

    @Test
    void placesThatWereUsedOrReleasedAreNotReported() {
        berth.upsert(aPod("a").asking("1 cpu").on("n1").build());
        berth.completeAll();
        berth.unreserve(assignment(pod("b"), "n1"));

        timePasses();

        assertThat(berth.events).isEmpty();
        assertThat(berth.logged).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPlaceThatExpiredWhileBerthWasDownIsReportedUnlessItsPodIsBound(boolean holdsFirst) {
        berth.upsertUnseen(aPod("a").asking("1 cpu").on("n1").build());
        String hold = hold();
        berth.clock.advance(GlobalReserveSettings.DEFAULT.reservationTtl().plus(Duration.ofMinutes(1)));

        berth.restart(holdsFirst);

        assertThat(berth.events)
                .containsExactly(
                        hold
                                + ": No scheduler bound pod default/b on node n1 before its place expired. Its capacity is free.");
    }
}
