package dev.berth.app.diagnostics;

import static dev.berth.core.testing.Amounts.amounts;
import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.door.koordinator.Reservation;
import dev.berth.core.door.koordinator.ReservationStatus;
import dev.berth.core.door.koordinator.ReservationStatus.ReservationPhase;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.resource.Resources;
import dev.berth.core.testing.Scenario;
import dev.berth.http.diagnostics.PrometheusText;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReservationMetricsTest {
    @Test
    @Scenario(149)
    void anAvailableReservationHasItsPhaseItsAmountsAndItsUtilization() {
        assertThat(samples(reservation(
                        "r",
                        ReservationPhase.AVAILABLE,
                        amounts("10 cpu", "2Gi memory", "4 example.com/gpu"),
                        amounts("8 cpu", "1Gi memory"))))
                .containsExactly(
                        "scheduler_reservation_status_phase{name=\"r\",phase=\"Pending\"} 0",
                        "scheduler_reservation_status_phase{name=\"r\",phase=\"Available\"} 1",
                        "scheduler_reservation_status_phase{name=\"r\",phase=\"Succeeded\"} 0",
                        "scheduler_reservation_status_phase{name=\"r\",phase=\"Failed\"} 0",
                        resource("cpu", "allocatable", "core", "10"),
                        resource("cpu", "allocated", "core", "8"),
                        resource("cpu", "utilization", "ratio", "0.8"),
                        resource("example.com/gpu", "allocatable", "raw", "4"),
                        resource("example.com/gpu", "allocated", "raw", "0"),
                        resource("example.com/gpu", "utilization", "ratio", "0"),
                        resource("memory", "allocatable", "Gi", "2"),
                        resource("memory", "allocated", "Gi", "1"),
                        resource("memory", "utilization", "ratio", "0.5"));
    }

    @Test
    @Scenario(149)
    void aReservationThatIsNotAvailableHasNoAmounts() {
        assertThat(samples(reservation("r", ReservationPhase.FAILED, amounts("1 cpu"), amounts("1 cpu"))))
                .hasSize(4)
                .contains("scheduler_reservation_status_phase{name=\"r\",phase=\"Failed\"} 1");
    }

    @Test
    void aScrapeThatTheLoopIsTooBusyToAnswerHasNoSamples() throws InterruptedException {
        PrometheusText text = new PrometheusText();
        new ReservationMetrics(Optional::empty, InstantSource.system()).collect(text);
        assertThat(text.toString()).isEmpty();

        new ReservationMetrics(() -> Optional.of(List.of()), InstantSource.system()).collect(text);
        assertThat(text.toString()).contains("berth_koordinator_reservations{phase=\"Available\"} 0");
    }

    @Test
    void reservationsBeyondTheLimitAreOnlyCounted() {
        PrometheusText text = new PrometheusText();
        ReservationMetrics.collect(
                IntStream.range(0, ReservationMetrics.MAX_RESERVATIONS + 3)
                        .mapToObj(i -> reservation("r" + i, ReservationPhase.PENDING, Resources.NONE, Resources.NONE))
                        .toList(),
                text);
        assertThat(text.toString())
                .contains("\nberth_reservation_metrics_omitted 3\n")
                .contains("\nberth_koordinator_reservations{phase=\"Pending\"} 10003\n");
        assertThat(text.toString().lines().filter(line -> line.startsWith("scheduler_reservation_status_phase{")))
                .hasSize(4 * ReservationMetrics.MAX_RESERVATIONS);
    }

    @Test
    void whatIsHeldAndUsedIsCountedByNodeAndDoor() {
        Ledger ledger = new Ledger();
        ledger.put(aNode("n1").with("8 cpu", "16Gi memory").build());
        ledger.put(aPod("taken-over").on("n1").asking("500m cpu").build());
        ledger.put(aPod("owner").on("n1").asking("1 cpu").using("r2").build());
        ledger.put(
                aHold("r1").on("n1").keeping("1500m cpu").backedBy("taken-over").build());
        ledger.put(aHold("r2")
                .on("n1")
                .keeping("2 cpu", "1Ki memory")
                .listingUser("owner")
                .build());
        PrometheusText text = new PrometheusText();
        new HeldResourcesMetrics(ledger::snapshot).collect(text);
        String labels = "node=\"n1\",door=\"%s\""
                .formatted(ledger.snapshot()
                        .holdState(aHold("r1").on("n1").build().id())
                        .orElseThrow()
                        .hold()
                        .origin()
                        .component()
                        .text());
        assertThat(text.toString())
                .contains("berth_hold_resources{%s,resource=\"cpu\",type=\"held\"} 3.5\n".formatted(labels))
                .contains("berth_hold_resources{%s,resource=\"memory\",type=\"held\"} 1024\n".formatted(labels))
                .contains("berth_hold_resources{%s,resource=\"cpu\",type=\"used\"} 1.5\n".formatted(labels));
    }

    private static List<String> samples(Reservation reservation) {
        PrometheusText text = new PrometheusText();
        ReservationMetrics.collect(List.of(reservation), text);
        return text.toString()
                .lines()
                .filter(line -> line.startsWith("scheduler_reservation_"))
                .toList();
    }

    private static String resource(String resource, String type, String unit, String value) {
        return "scheduler_reservation_resource{name=\"r\",resource=\"%s\",type=\"%s\",unit=\"%s\"} %s"
                .formatted(resource, type, unit, value);
    }

    private static Reservation reservation(
            String name, ReservationPhase phase, Resources allocatable, Resources allocated) {
        return new Reservation(
                name,
                name,
                "1",
                Instant.EPOCH,
                false,
                "berth-scheduler",
                Optional.empty(),
                "malformed",
                new ReservationStatus(phase, "n1", allocatable, allocated, List.of(), List.of()));
    }
}
