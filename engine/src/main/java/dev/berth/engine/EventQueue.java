package dev.berth.engine;

import dev.berth.core.reconcile.RetryPolicy;
import dev.berth.engine.ReportDispatcher.Report;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Events to write, oldest first. If too many wait, the oldest is dropped and reported. */
final class EventQueue implements ReportDispatcher.ReportQueue {
    private final TreeMap<Long, Report> ready = new TreeMap<>();
    private final TreeMap<Long, Report> postponed = new TreeMap<>();
    private final int capacity;
    private final Consumer<Report> onDropped;

    EventQueue(int most, Consumer<Report> onDropped) {
        this.capacity = most;
        this.onDropped = onDropped;
    }

    @Override
    public void add(Report report) {
        ready.put(report.order(), report);
        trim();
    }

    @Override
    public Optional<Report> peek() {
        return Optional.ofNullable(ready.firstEntry()).map(Map.Entry::getValue);
    }

    @Override
    public void markSent(Report report) {
        ready.remove(report.order());
    }

    @Override
    public RetryPolicy retryPolicy() {
        return RetryPolicy.EVENT;
    }

    @Override
    public boolean mayDrop() {
        return true;
    }

    @Override
    public void postponeDenied(Report report) {
        postpone(report);
    }

    @Override
    public void postpone(Report report) {
        postponed.put(report.order(), report);
        trim();
    }

    /** It may have been dropped in between. */
    @Override
    public void resume(Report report) {
        Optional.ofNullable(postponed.remove(report.order())).ifPresent(resumed -> ready.put(resumed.order(), resumed));
    }

    /** A completed event was removed when it was sent. */
    @Override
    public void complete(Report report) {}

    @Override
    public int size() {
        return ready.size() + postponed.size();
    }

    private void trim() {
        while (size() > capacity) {
            boolean readyIsOlder = postponed.isEmpty() || (!ready.isEmpty() && ready.firstKey() < postponed.firstKey());
            onDropped.accept((readyIsOlder ? ready : postponed).pollFirstEntry().getValue());
        }
    }
}
