package dev.berth.engine;

import dev.berth.core.reconcile.Policy;
import dev.berth.engine.Reports.Report;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The events that are to be written, oldest first. When too many wait the oldest is lost, and that is said. */
final class Announcements implements Reports.Line {
    private final TreeMap<Long, Report> ready = new TreeMap<>();
    private final TreeMap<Long, Report> putOff = new TreeMap<>();
    private final int most;
    private final Consumer<Report> lost;

    Announcements(int most, Consumer<Report> lost) {
        this.most = most;
        this.lost = lost;
    }

    @Override
    public void add(Report report) {
        ready.put(report.order(), report);
        trim();
    }

    @Override
    public Optional<Report> first() {
        return Optional.ofNullable(ready.firstEntry()).map(Map.Entry::getValue);
    }

    @Override
    public void sent(Report report) {
        ready.remove(report.order());
    }

    @Override
    public Policy policy() {
        return Policy.EVENT;
    }

    @Override
    public boolean givesUp() {
        return true;
    }

    @Override
    public void deny(Report report) {
        putOff(report);
    }

    @Override
    public void putOff(Report report) {
        putOff.put(report.order(), report);
        trim();
    }

    /** It may have been lost meanwhile. */
    @Override
    public void resume(Report report) {
        Optional.ofNullable(putOff.remove(report.order())).ifPresent(kept -> ready.put(kept.order(), kept));
    }

    /** One that is at its end was sent before, and is kept nowhere. */
    @Override
    public void ended(Report report) {}

    @Override
    public int size() {
        return ready.size() + putOff.size();
    }

    private void trim() {
        while (size() > most) {
            boolean readyIsOlder = putOff.isEmpty() || (!ready.isEmpty() && ready.firstKey() < putOff.firstKey());
            lost.accept((readyIsOlder ? ready : putOff).pollFirstEntry().getValue());
        }
    }
}
