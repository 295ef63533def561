package dev.berth.app.operation;

import dev.berth.http.operation.Exposition;
import dev.berth.http.operation.MetricsApi;
import dev.berth.kubernetes.watch.WatchHealth;
import java.util.List;
import java.util.function.Supplier;

/** How the watches go. */
record WatchMetrics(Supplier<List<WatchHealth.State>> watches) implements MetricsApi.Source {
    @Override
    public void tell(Exposition to) {
        List<WatchHealth.State> now = watches.get();
        Exposition.Metric failing = to.gauge(
                "berth_watch_failing", "Whether the list or watch of a kind fails again and again (1) or not (0).");
        now.forEach(kind -> failing.is(kind.failing() ? 1 : 0, "kind", kind.kind()));
        Exposition.Metric failures =
                to.counter("berth_watch_failures_total", "Lists and watches that failed, by the kind of object.");
        now.forEach(kind -> failures.is(kind.failures(), "kind", kind.kind()));
        Exposition.Metric missing = to.gauge(
                "berth_definition_missing", "Whether the API server has no definition of a kind (1) or has one (0).");
        now.forEach(kind -> missing.is(kind.missing() ? 1 : 0, "kind", kind.kind()));
        Exposition.Metric unreadable = to.gauge(
                "berth_unreadable_objects", "Objects that cannot be read: Berth keeps what it last read of them.");
        now.forEach(kind -> unreadable.is(kind.unreadable(), "kind", kind.kind()));
        Exposition.Metric events = to.counter(
                "berth_unreadable_events_total",
                "List items and watch events that could not be read and were skipped.");
        now.forEach(kind -> events.is(kind.unreadableEvents(), "kind", kind.kind()));
    }
}
