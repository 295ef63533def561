package dev.berth.core.reconcile;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.DoorHandle;
import dev.berth.core.effect.Effect;
import dev.berth.core.framework.PreemptingRequest;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.Removals;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.Placement;
import dev.berth.core.placement.filter.ClusterEventKind;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.testing.ManualClock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** A handle of a door that has a time and remembers writes and holds; a reconciler may use nothing else of it. */
final class RecordingDoorHandle implements DoorHandle {
    final ManualClock clock = new ManualClock();
    final List<Effect> effects = new ArrayList<>();
    final Map<HoldId, Hold> holds = new TreeMap<>();
    /** Whether a turn has time for one object. */
    boolean outOfTime;

    @Override
    public Instant now() {
        return clock.instant();
    }

    @Override
    public boolean isOutOfTime() {
        return outOfTime;
    }

    @Override
    public void write(Effect effect) {
        effects.add(effect);
    }

    List<Effect> drain() {
        List<Effect> taken = List.copyOf(effects);
        effects.clear();
        return taken;
    }

    @Override
    public boolean isResponsibleFor(String schedulerName) {
        return true;
    }

    @Override
    public LedgerView ledger() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void putHold(Hold hold) {
        holds.put(hold.id(), hold);
    }

    @Override
    public boolean putHoldIfFits(Hold hold, HoldId before) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void releaseHold(HoldId hold) {
        holds.remove(hold);
    }

    @Override
    public void requestPlacement(Pod seeker) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void requestPreemptingPlacement(PreemptingRequest request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Placement placeRequest(Pod request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<PreemptingRequest> findPreemptingRequest(PodUid uid) {
        return Optional.empty();
    }

    @Override
    public Set<PodUid> requestsMounting(String namespace, String claim) {
        return Set.of();
    }

    @Override
    public void setNominatedNode(PodUid request, String node, List<Pod> victims) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void cancelNominatedNode(PodUid request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public HoldUse holdUse(PodUid pod) {
        return HoldUse.PREFERRED;
    }

    @Override
    public void requeue(PodUid pod) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void cancelPlacement(PodUid seeker) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void notifyDevicesChanged() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void notifyStorageChanged(ClusterEventKind clusterEventKind, Set<PodUid> pods) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void releaseBind(PodUid pod) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void failBind(PodUid pod, Optional<String> why) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean abortBind(PodUid pod, String why) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<Veto> vetoes(Pod pod, String node, HoldUse use) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<Veto> vetoesWithout(Pod pod, String node, Removals absent) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<HoldId> holdUsedWithout(Pod pod, String node, Removals absent) {
        throw new UnsupportedOperationException();
    }
}
