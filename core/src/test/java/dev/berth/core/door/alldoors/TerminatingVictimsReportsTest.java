package dev.berth.core.door.alldoors;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodSpec;
import dev.berth.core.door.koordinator.Reservation;
import dev.berth.core.door.koordinator.ReservationSpec;
import dev.berth.core.door.koordinator.ReservationStatus;
import dev.berth.core.hold.Owner;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.RandomHistories;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Victims of preemption are slow to leave: no user is told that reserved room is missing, for none is. */
class TerminatingVictimsReportsTest {
    private final Random random = new Random(1);
    private final AllDoorsCluster cluster = new AllDoorsCluster(random);
    /** After so many steps Berth is killed and started again. */
    private int stepsToRestart = -1;

    private void node(int cpus) {
        cluster.server.put(aNode("n1").with(cpus + " cpu", "12 pods").build());
        cluster.start(true);
        step();
    }

    private void reservation(String name, String app, int cpus, boolean once, boolean restricted) {
        Resources size = Resources.of(ResourceName.CPU, 1_000L * cpus);
        LabelSelector selector = LabelSelector.of(Labels.of("app", app));
        ReservationSpec reservationSpec = new ReservationSpec(
                new ReservationSpec.Template(
                        "default",
                        Labels.NONE,
                        PodSpec.builder().requests(size).build(),
                        Optional.empty(),
                        AllDoorsCluster.SCHEDULER,
                        Integer.MAX_VALUE),
                List.of(Owner.ofLabels(selector)),
                once,
                restricted,
                Optional.empty(),
                false,
                List.of());
        cluster.server.put(new Reservation(
                name,
                name,
                "",
                cluster.clock.instant(),
                false,
                AllDoorsCluster.SCHEDULER,
                Optional.of(reservationSpec),
                "",
                ReservationStatus.ABSENT));
        step();
    }

    private void pod(PodBuilder pod) {
        cluster.server.put(pod.build());
        step();
    }

    private static PodBuilder of(String app, String name, int cpus, int priority) {
        return aPod(name).labelled("app", app).asking(cpus + " cpu").ofPriority(priority);
    }

    /** Everything that follows is done, but that victims leave. */
    private void step() {
        cluster.runUntilIdle();
        if (stepsToRestart-- == 0) {
            cluster.kill();
            cluster.start(true);
            cluster.runUntilIdle();
        }
        assertThat(cluster.events)
                .as("events about missing room although all of it is there when the victims have left")
                .noneMatch(event -> event.contains("Overcommitted"));
        cluster.snapshot()
                .forEachNode(node -> assertThat(node.overcommitments())
                        .as("the metric berth_node_overcommitted has a row for node %s", node.node())
                        .isEmpty());
    }

    private void victimsLeave() {
        for (Pod pod : List.copyOf(cluster.server.pods.values())) {
            if (pod.terminating()) {
                cluster.server.remove(pod.uid());
                step();
            }
        }
        cluster.advance(Duration.ofSeconds(30));
        step();
    }

    private String nodeOf(String pod) {
        return cluster.server.pods.values().stream()
                .filter(it -> it.name().equals(pod))
                .findFirst()
                .flatMap(Pod::nodeName)
                .orElse("");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1, 2, 3, 4, 5})
    void noOvercommitmentIsReportedWhenTwoPodsShareAVictim(int restartAfter) {
        stepsToRestart = restartAfter;
        node(4);
        reservation("r", "a", 2, false, false);
        pod(of("none", "stranger", 2, 0));
        pod(of("a", "owner", 3, 10));
        pod(of("none", "small", 1, 10));
        assertThat(cluster.server.pods.values().stream().filter(Pod::terminating))
                .extracting(Pod::name)
                .containsExactly("stranger");
        victimsLeave();

        assertThat(nodeOf("owner")).isEqualTo("n1");
        assertThat(nodeOf("small")).isEqualTo("n1");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1, 2, 3, 4, 5})
    void noOvercommitmentIsReportedWhenAVictimUsesAnotherReservation(int restartAfter) {
        stepsToRestart = restartAfter;
        node(5);
        reservation("r", "a", 2, false, false);
        reservation("other", "b", 2, false, false);
        pod(of("b", "low", 3, 0));
        pod(of("a", "owner", 3, 10));
        assertThat(cluster.server.pods.values().stream().filter(Pod::terminating))
                .extracting(Pod::name)
                .containsExactly("low");
        victimsLeave();

        assertThat(nodeOf("owner")).isEqualTo("n1");
    }

    @Test
    void noMissingCapacityIsReportedWhenAnOwnerPreemptsAnotherOwner() {
        node(4);
        reservation("r", "a", 4, false, false);
        pod(of("a", "low", 4, 0));
        pod(of("a", "high", 4, 10));
        victimsLeave();
        assertThat(nodeOf("high")).isEqualTo("n1");
    }

    @RandomHistories(count = 150)
    void noMissingCapacityIsReportedForRandomPreemptions(long seed) {
        Random random = new Random(seed);
        stepsToRestart = random.nextInt(20);
        node(4 + random.nextInt(4));
        for (String app : List.of("a", "b")) {
            reservation("r-" + app, app, 1 + random.nextInt(3), random.nextInt(3) == 0, random.nextInt(3) == 0);
        }
        for (int i = 0; i < 10; i++) {
            String app = List.of("a", "b", "none").get(random.nextInt(3));
            pod(of(app, "p" + i, 1 + random.nextInt(4), 10 * (i / 3)));
        }
        victimsLeave();
    }
}
