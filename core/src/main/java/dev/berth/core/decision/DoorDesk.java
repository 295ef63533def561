package dev.berth.core.decision;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.Absence;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.filter.Hint;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.queue.Happening;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The desk of one door. The door is told one thing at a time, so one desk does for all of them. */
final class DoorDesk implements Desk {
    private final Door door;
    private final Office office;
    private final Seekers seekers;
    private final HeldBack heldBack;
    private Instant now = Instant.MIN;
    private Pace pace = Pace.UNBOUNDED;
    private boolean cutShort;

    DoorDesk(Door door, Office office, Seekers seekers, HeldBack heldBack) {
        this.door = door;
        this.office = office;
        this.seekers = seekers;
        this.heldBack = heldBack;
    }

    Door door() {
        return door;
    }

    /** The desk as it is for what the door is told at this moment. */
    DoorDesk at(Instant moment) {
        now = moment;
        return this;
    }

    /** Settles the door; says whether it is done, or was cut short. */
    boolean settle(Instant moment, Pace withPace) {
        return isDone(withPace, () -> door.settle(at(moment)));
    }

    /**
     * Settles the door after all others; says whether it is done, or was cut short.
     *
     * @param again is told if the doors have to settle again
     */
    boolean settleLast(Instant moment, Pace withPace, Runnable again) {
        return isDone(withPace, () -> {
            if (door.settleLast(at(moment))) {
                again.run();
            }
        });
    }

    private boolean isDone(Pace withPace, Runnable work) {
        pace = withPace;
        cutShort = false;
        try {
            work.run();
            return !cutShort;
        } catch (RuntimeException bug) {
            throw new IllegalStateException(
                    "door (%s) broke (%s). If it does so at every start, leave it out with doors.without, and report the bug"
                            .formatted(door.name().word(), bug),
                    bug);
        } finally {
            pace = Pace.UNBOUNDED;
        }
    }

    @Override
    public boolean timeIsUp() {
        cutShort |= pace.timeIsUp();
        return cutShort;
    }

    @Override
    public Instant now() {
        return now;
    }

    @Override
    public LedgerView ledger() {
        return office.ledger();
    }

    @Override
    public boolean serves(String schedulerName) {
        return office.serves(schedulerName);
    }

    @Override
    public void hold(Hold hold) {
        requireOwn(hold);
        if (!office.ledger().hold(hold.id()).equals(Optional.of(hold))) {
            office.put(hold, now);
        }
    }

    @Override
    public boolean holdIfRoom(Hold hold, HoldId before) {
        requireOwn(hold);
        return office.ledger().hold(hold.id()).equals(Optional.of(hold)) || office.putIfRoom(hold, before, now);
    }

    private void requireOwn(Hold hold) {
        if (hold.origin().door() != door.name()) {
            throw new IllegalArgumentException("door (%s) puts a hold of another: %s".formatted(door.name(), hold));
        }
    }

    @Override
    public void release(HoldId hold) {
        office.remove(hold, now);
    }

    @Override
    public void write(Effect effect) {
        office.write(effect);
    }

    @Override
    public void seek(Pod seeker) {
        seekers.seek(this, seeker, now);
    }

    @Override
    public void reconsider(PodUid pod) {
        office.queue().reconsider(pod, now);
    }

    @Override
    public void stopSeeking(PodUid seeker) {
        seekers.stop(seeker);
    }

    @Override
    public void news() {
        office.queue().happened(new Happening.DoorNews(door.name()), now);
    }

    @Override
    public void storageChanged(Hint hint, Set<PodUid> pods) {
        office.queue().happened(new Happening.StorageChanged(hint, pods), now);
    }

    @Override
    public void letGo(PodUid pod) {
        heldBack.letGo(pod);
    }

    @Override
    public void giveUp(PodUid pod, Optional<String> why) {
        heldBack.giveUp(pod, why, now);
    }

    @Override
    public boolean interrupt(PodUid pod, String why) {
        return heldBack.interrupt(pod, why, now);
    }

    @Override
    public List<Veto> vetoes(Pod pod, String node, HoldUse use) {
        return office.vetoes(pod, node, use).orElse(List.of());
    }

    @Override
    public List<Veto> vetoesWithout(Pod pod, String node, Absence absent) {
        return office.ledger()
                .without(node, absent)
                .map(view -> office.placer().vetoesIn(view, pod, view.node(node).orElseThrow(), HoldUse.PREFERRED))
                .orElse(List.of());
    }

    @Override
    public Optional<HoldId> holdWithout(Pod pod, String node, Absence absent) {
        return office.ledger()
                .without(node, absent)
                .flatMap(view ->
                        office.placer().holdIn(view, pod, view.node(node).orElseThrow()));
    }
}
