package dev.berth.core.reconcile;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Desk;
import dev.berth.core.decision.Effect;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.Absence;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.filter.Hint;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.testing.ManualClock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A desk that has a time and remembers what is to be written; a reconciler may use nothing else of it. */
final class RecordingDesk implements Desk {
    final ManualClock clock = new ManualClock();
    final List<Effect> effects = new ArrayList<>();
    /** Whether a turn has time for one object. */
    boolean hurried;

    @Override
    public Instant now() {
        return clock.instant();
    }

    @Override
    public boolean timeIsUp() {
        return hurried;
    }

    @Override
    public void write(Effect effect) {
        effects.add(effect);
    }

    List<Effect> take() {
        List<Effect> taken = List.copyOf(effects);
        effects.clear();
        return taken;
    }

    @Override
    public boolean serves(String schedulerName) {
        return true;
    }

    @Override
    public LedgerView ledger() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void hold(Hold hold) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean holdIfRoom(Hold hold, HoldId before) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void release(HoldId hold) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void seek(Pod seeker) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void reconsider(PodUid pod) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void stopSeeking(PodUid seeker) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void news() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void storageChanged(Hint hint, Set<PodUid> pods) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void letGo(PodUid pod) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void giveUp(PodUid pod, Optional<String> why) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean interrupt(PodUid pod, String why) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<Veto> vetoes(Pod pod, String node, HoldUse use) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<Veto> vetoesWithout(Pod pod, String node, Absence absent) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<HoldId> holdWithout(Pod pod, String node, Absence absent) {
        throw new UnsupportedOperationException();
    }
}
