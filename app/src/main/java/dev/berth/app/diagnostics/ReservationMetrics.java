package dev.berth.app.diagnostics;

import dev.berth.core.door.koordinator.Reservation;
import dev.berth.core.door.koordinator.ReservationStatus.ReservationPhase;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.engine.LedgerLoop;
import dev.berth.engine.LoopClient;
import dev.berth.engine.LoopUnavailableException;
import dev.berth.http.diagnostics.MetricsApi;
import dev.berth.http.diagnostics.PrometheusText;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Koordinator's metrics of reservations. The loop hands over its list of immutable reservations at most once a second;
 * everything else is done on the thread of the request.
 */
final class ReservationMetrics implements MetricsApi.MetricsCollector {
    /** With more reservations a scrape would take tens of megabytes: the others are only counted. */
    static final int MAX_RESERVATIONS = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(ReservationMetrics.class);
    private static final Duration REPLY_TIMEOUT = Duration.ofSeconds(2);
    private static final double MILLI = 1000;
    private static final double GIBI = 1L << 30;

    /** Empty if the loop was too busy to hand them over. */
    private final CachedValue<Optional<List<Reservation>>> reservations;

    /** @param reservations all reservations; called on the loop's thread */
    ReservationMetrics(Supplier<LedgerLoop> loop, Supplier<List<Reservation>> reservations, InstantSource clock) {
        this(() -> read(loop.get(), reservations), clock);
    }

    ReservationMetrics(CachedValue.Loader<Optional<List<Reservation>>> loader, InstantSource clock) {
        this.reservations = new CachedValue<>(loader, clock);
    }

    private static Optional<List<Reservation>> read(LedgerLoop loop, Supplier<List<Reservation>> reservations)
            throws InterruptedException {
        try {
            return Optional.of(new LoopClient(loop, REPLY_TIMEOUT).query(scheduler -> reservations.get()));
        } catch (LoopUnavailableException busy) {
            LOG.debug("the metrics of reservations are missing in this scrape: {}", busy.getMessage());
            return Optional.empty();
        }
    }

    /** If the reservations are not known, there is no sample: zeros would say that they are gone. */
    @Override
    public void collect(PrometheusText to) throws InterruptedException {
        reservations.get().ifPresent(all -> collect(all, to));
    }

    static void collect(List<Reservation> all, PrometheusText to) {
        List<Reservation> shown = all.stream()
                .sorted(Comparator.comparing(Reservation::name))
                .limit(MAX_RESERVATIONS)
                .toList();
        counts(all, to);
        to.gauge(
                        "berth_reservation_metrics_omitted",
                        "Koordinator Reservations without metrics of their own, because there are more than 10000.")
                .add(all.size() - shown.size());
        PrometheusText.MetricFamily phases = to.gauge(
                "scheduler_reservation_status_phase",
                "1 for the phase that a Koordinator Reservation has, and 0 for the others.");
        shown.forEach(reservation -> addPhases(reservation, phases));
        PrometheusText.MetricFamily amounts = to.gauge(
                "scheduler_reservation_resource",
                "The resources of available Koordinator Reservations: what is reserved, what pods use, and the ratio.");
        shown.stream()
                .filter(reservation -> reservation.status().isAvailable())
                .forEach(reservation -> addAmounts(reservation, amounts));
    }

    private static void counts(List<Reservation> all, PrometheusText to) {
        Map<ReservationPhase, Integer> counts = new EnumMap<>(ReservationPhase.class);
        all.forEach(reservation -> counts.merge(reservation.status().phase(), 1, Integer::sum));
        PrometheusText.MetricFamily family =
                to.gauge("berth_koordinator_reservations", "Koordinator Reservations, by phase.");
        for (ReservationPhase phase : ReservationPhase.values()) {
            family.add(counts.getOrDefault(phase, 0), "phase", phase.value());
        }
    }

    private static void addPhases(Reservation reservation, PrometheusText.MetricFamily to) {
        for (ReservationPhase phase : ReservationPhase.values()) {
            to.add(reservation.status().phase() == phase ? 1 : 0, "name", reservation.name(), "phase", phase.value());
        }
    }

    private static void addAmounts(Reservation reservation, PrometheusText.MetricFamily to) {
        Resources allocatable = reservation.status().allocatable();
        Resources allocated = reservation.status().allocated();
        for (int i = 0; i < allocatable.size(); i++) {
            ResourceName resource = allocatable.nameAt(i);
            long reserved = allocatable.amountAt(i);
            long used = allocated.get(resource);
            add(reservation, resource, "allocatable", unit(resource), reserved / divisor(resource), to);
            add(reservation, resource, "allocated", unit(resource), used / divisor(resource), to);
            if (reserved > 0) {
                add(reservation, resource, "utilization", "ratio", (double) used / reserved, to);
            }
        }
    }

    private static void add(
            Reservation reservation,
            ResourceName resource,
            String type,
            String unit,
            double value,
            PrometheusText.MetricFamily to) {
        to.add(value, "name", reservation.name(), "resource", resource.value(), "type", type, "unit", unit);
    }

    private static String unit(ResourceName resource) {
        if (resource.equals(ResourceName.CPU)) {
            return "core";
        }
        return resource.isInBytes() ? "Gi" : "raw";
    }

    private static double divisor(ResourceName resource) {
        if (resource.equals(ResourceName.CPU)) {
            return MILLI;
        }
        return resource.isInBytes() ? GIBI : 1;
    }
}
