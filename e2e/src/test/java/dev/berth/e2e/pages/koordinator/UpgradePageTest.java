package dev.berth.e2e.pages.koordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.invariant.Invariants;
import dev.berth.core.ledger.Snapshot;
import dev.berth.core.resource.ResourceName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A cluster moves from koord-scheduler to Berth and back. No koord-scheduler runs: the test writes what it would write.
 */
@Timeout(300)
final class UpgradePageTest extends ScenarioPage {
    private static final String NOT_SERVED = "schedulerName koord-scheduler is not served";

    /** Times in a status have whole seconds. */
    private final Instant placed = Instant.now().truncatedTo(ChronoUnit.SECONDS);

    private KoordSchedulerWrites koordScheduler;

    @BeforeEach
    void useKubectl() {
        koordScheduler = new KoordSchedulerWrites(kubectl());
    }

    @AfterEach
    void deleteLease() {
        koordScheduler.deleteLease();
    }

    @Test
    void berthTakesOverWhatKoordSchedulerLeavesAndHandsItBack() throws InterruptedException {
        cluster().restartBerth(this::koordSchedulerLeavesItsObjects);
        String statuses = statuses();
        checkCpusFree(2, 2, 8);
        assertThat(readyz()).contains(NOT_SERVED, "koord-1 holds it");
        awaitDecisionOfBerth();
        assertThat(statuses()).as("koord-scheduler serves them").isEqualTo(statuses);

        koordScheduler.releaseLease();

        eventually(() -> assertThat(reservation("waiting", "{.status.phase}")).isEqualTo("Available"));
        eventually(() -> assertThat(reservation("once", "{.status.phase}")).isEqualTo("Succeeded"));
        awaitOwners("once", "once-owner");
        awaitOwners("shared", "shared-1", "shared-2");
        assertThat(reservation("shared", "{.status.allocated.cpu}")).isEqualTo("4");
        assertThat(reservation("shared", "{.status.conditions[?(@.type=='Ready')].lastTransitionTime}"))
                .isEqualTo(placed.toString());
        assertThat(reservation("spent", "{.status}"))
                .as("it ended before")
                .contains("\"lastTransitionTime\":\"%s\"".formatted(placed), "\"name\":\"spent-owner\"");
        eventually(() -> checkCpusFree(2, 3, 3));
        create(pod("shared-3", "shared", 2));
        assertThat(awaitRunning("shared-3")).isEqualTo("node-0");
        awaitOwners("shared", "shared-1", "shared-2", "shared-3");
        checkCpusFree(2, 3, 3);

        cluster().restartBerth(this::koordSchedulerFindsWhatItNeeds);

        checkCpusFree(2, 3, 3);
        assertThat(readyz()).contains(NOT_SERVED, "koord-2 holds it");
    }

    @Test
    void berthStopsServingTheNameWhileKoordSchedulerRuns() {
        create(podOfScheduler("before", "koord-scheduler"));
        awaitRunning("before");

        koordScheduler.takeLease("koord-2");
        eventually(() -> assertThat(readyz()).contains(NOT_SERVED));
        create(podOfScheduler("left", "koord-scheduler"));
        create(reservationYaml("left", "node-2", 1, "allocateOnce: true"));
        awaitDecisionOfBerth();
        assertThat(nodeOf("left")).isEmpty();
        assertThat(reservation("left", "{.status}")).isEmpty();

        koordScheduler.releaseLease();
        awaitRunning("left");
        eventually(() -> assertThat(reservation("left", "{.status.phase}")).isEqualTo("Available"));
        assertThat(readyz()).doesNotContain(NOT_SERVED);
    }

    /** No Berth runs. */
    private void koordSchedulerLeavesItsObjects() {
        koordScheduler.takeLease("koord-1");
        create(reservationYaml("shared", "node-0", 6, SHARED));
        create(pod("shared-1", "shared", 2), pod("shared-2", "shared", 2));
        koordScheduler.bind("shared-1", "shared", "node-0");
        koordScheduler.bind("shared-2", "shared", "node-0");
        koordScheduler.writeStatus("shared", "Available", "node-0", 6, 4, placed, "shared-1", "shared-2");

        create(reservationYaml("spent", "node-1", 2, "allocateOnce: true"), pod("spent-owner", "spent", 2));
        koordScheduler.bind("spent-owner", "spent", "node-1");
        koordScheduler.writeStatus("spent", "Succeeded", "node-1", 2, 2, placed, "spent-owner");

        create(reservationYaml("once", "node-1", 4, "allocateOnce: true"), pod("once-owner", "once", 3));
        koordScheduler.writeStatus("once", "Available", "node-1", 4, 0, placed);
        koordScheduler.bind("once-owner", "once", "node-1");

        create(reservationYaml("waiting", "node-2", 5, SHARED));
        koordScheduler.writeUnschedulable("waiting", "0/3 nodes are available", placed);
    }

    /** Berth is gone, and koord-scheduler is back: what it reads is all that it knows of the allocations. */
    private void koordSchedulerFindsWhatItNeeds() {
        koordScheduler.takeLease("koord-2");
        assertThat(jsonPath(
                        "get pod shared-3",
                        "{.metadata.annotations.scheduling\\.koordinator\\.sh/reservation-allocated}"))
                .isEqualTo(koordScheduler.recordOf("shared"));
        for (String placedReservation : new String[] {"shared", "waiting"}) {
            assertThat(reservation(placedReservation, "{.status.phase}")).isEqualTo("Available");
            assertThat(reservation(placedReservation, "{range .status.conditions[*]}{.type}={.status}/{.reason} {end}"))
                    .isEqualTo("Scheduled=True/Scheduled Ready=True/Available ");
        }
        assertThat(reservation("waiting", "{.status.nodeName} {.status.allocatable.cpu}"))
                .isEqualTo("node-2 5");
        assertThat(reservation("shared", "{.status.allocated.cpu}")).isEqualTo("6");
        assertThat(reservation("shared", "{.status.currentOwners[*].uid}"))
                .contains(koordScheduler.uid("pod shared-3"));
        assertThat(reservation("once", "{.status.conditions[?(@.type=='Ready')].reason}"))
                .isEqualTo("Succeeded");
        assertThat(reservation("once", "{.status.currentOwners[*].uid}"))
                .isEqualTo(koordScheduler.uid("pod once-owner"));
    }

    /** A pod of another name is placed, so Berth has decided on everything that was there before. */
    private void awaitDecisionOfBerth() {
        create(podOfScheduler("barrier", "berth-scheduler"));
        awaitRunning("barrier");
        run("delete pod barrier --grace-period=0 --force").ok();
    }

    private void checkCpusFree(int node0, int node1, int node2) {
        Snapshot snapshot = cluster().berth().snapshot();
        assertThat(Invariants.check(snapshot)).isEmpty();
        int[] expected = {node0, node1, node2};
        for (int i = 0; i < expected.length; i++) {
            assertThat(snapshot.node("node-" + i).orElseThrow().free().get(ResourceName.CPU))
                    .as("free milli-cpus of node-" + i)
                    .isEqualTo(expected[i] * 1000L);
        }
    }

    private String readyz() {
        URI url = URI.create(cluster().berth().diagnosticsUrl().orElseThrow() + "/readyz?verbose");
        try {
            return HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(url).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException unanswered) {
            throw new UncheckedIOException(unanswered);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    private String statuses() {
        return jsonPath("get reservations.scheduling.koordinator.sh", "{.items[*].status}");
    }

    private static String reservationYaml(String name, String node, int cpu, String allocateOnce) {
        return """
                apiVersion: scheduling.koordinator.sh/v1alpha1
                kind: Reservation
                metadata:
                  name: %1$s
                spec:
                  %4$s
                  owners: [{labelSelector: {matchLabels: {app: %1$s}}}]
                  template:
                    spec:
                      schedulerName: koord-scheduler
                      nodeSelector: {kubernetes.io/hostname: %2$s}
                      containers: [{name: main, image: nginx, resources: {requests: {cpu: "%3$d"}}}]
                """.formatted(name, node, cpu, allocateOnce);
    }

    private static String pod(String name, String app, int cpu) {
        return """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, labels: {app: %s}}
                spec:
                  schedulerName: koord-scheduler
                  containers: [{name: main, image: nginx, resources: {requests: {cpu: "%d"}}}]
                """.formatted(name, app, cpu);
    }

    private static String podOfScheduler(String name, String scheduler) {
        return """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s}
                spec:
                  schedulerName: %s
                  containers: [{name: main, image: nginx, resources: {requests: {cpu: 100m}}}]
                """.formatted(name, scheduler);
    }
}
