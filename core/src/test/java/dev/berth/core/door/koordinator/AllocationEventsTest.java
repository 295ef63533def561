package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.effect.Effect;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.Scenario;
import dev.berth.core.testing.SchedulerScene;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What {@code kubectl describe} says about the use of a Reservation. */
class AllocationEventsTest {
    private final KoordinatorScene cluster = new KoordinatorScene();

    @BeforeEach
    void aClusterWithOneNode() {
        cluster.upsert(aNode("n1").with("64 cpu", "500 pods"));
    }

    @Test
    @Scenario(150)
    void theEventsOfAReservationSayWhereItIsAndWhichPodsUseIt() {
        cluster.createReservation(aReservation("r").requesting("6 cpu").shared())
                .upsert(web("a"))
                .upsert(web("b"))
                .deletePod("a");
        assertThat(eventsOf("r"))
                .containsExactly(
                        "Scheduled: Successfully assigned r to n1",
                        "Allocated: Pod default/a uses the Reservation",
                        "Allocated: Pod default/b uses the Reservation",
                        "Released: Pod default/a no longer uses the Reservation");
    }

    @Test
    void theLastUserOfAnAllocateOnceReservationIsReported() {
        cluster.createReservation(aReservation("r").requesting("6 cpu")).upsert(web("a"));
        assertThat(eventsOf("r")).endsWith("Allocated: Pod default/a uses the Reservation");
    }

    @Test
    void thePodsOfOneStatusAreOneEvent() {
        cluster.createReservation(aReservation("r").requesting("6 cpu").shared())
                .setServerMode(SchedulerScene.ServerMode.CONFLICTING)
                .acceptBindsOnly();
        List<PodBuilder> pods = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            pods.add(web("p" + i).with(pod -> pod.schedulerName(KoordinatorScene.SCHEDULER)));
        }
        cluster.upsertAll(pods)
                .setServerMode(SchedulerScene.ServerMode.ACCEPTING)
                .advance(Duration.ofMinutes(5));
        assertThat(eventsOf("r"))
                .contains("Allocated: Pods default/p0, default/p1, default/p2 and 2 more use the Reservation");
    }

    @Test
    void aRestartRepeatsNoEvent() {
        cluster.createReservation(aReservation("r").requesting("6 cpu").shared())
                .upsert(web("a"));
        List<String> before = eventsOf("r");
        cluster.restart();
        assertThat(eventsOf("r")).isEqualTo(before);
    }

    @Test
    void theNumberOfEventsIsLimited() {
        cluster.createReservation(aReservation("r").requesting("6 cpu").shared());
        for (int i = 0; i < AllocationEvents.MAX_EVENTS + 5; i++) {
            cluster.upsert(web("p" + i));
        }
        List<String> events = eventsOf("r").stream()
                .filter(event -> event.startsWith("Allocated"))
                .toList();
        assertThat(events).hasSize(AllocationEvents.MAX_EVENTS);
        assertThat(events.get(AllocationEvents.MAX_EVENTS - 1))
                .startsWith("Allocated: Pod default/p19 uses the Reservation. Further changes have no event before ");
        cluster.advance(AllocationEvents.WINDOW).upsert(web("later"));
        assertThat(eventsOf("r")).endsWith("Allocated: Pod default/later uses the Reservation");
    }

    @Test
    @Scenario(150)
    void theScheduledEventOfAPodNamesItsReservation() {
        cluster.createReservation(aReservation("r").requesting("6 cpu").shared())
                .upsert(web("a"))
                .upsert(aPod("other").asking("1 cpu"));
        assertThat(eventsOf("a"))
                .containsExactly("Scheduled: Successfully assigned default/a to n1, using Reservation r");
        assertThat(eventsOf("other")).containsExactly("Scheduled: Successfully assigned default/other to n1");
    }

    private List<String> eventsOf(String name) {
        return cluster.recordedEvents.stream()
                .filter(event -> event.target().name().equals(name))
                .map((Effect.RecordEvent event) ->
                        "%s: %s".formatted(event.kind().reason(), event.note()))
                .toList();
    }

    private static PodBuilder web(String name) {
        return aPod(name).labelled("app", "web").asking("1 cpu");
    }
}
