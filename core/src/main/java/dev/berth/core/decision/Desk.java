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
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What a {@link Door} can do while it is being told something. */
public interface Desk {
    Instant now();

    LedgerView ledger();

    /** Whether Berth places the pods that name this scheduler. */
    boolean serves(String schedulerName);

    /**
     * Whether the present turn has lasted long enough. A door that settles many objects asks after each of them; where the
     * answer is yes it leaves the rest as it is, and is settled again in the next turn.
     */
    default boolean timeIsUp() {
        return false;
    }

    /** Puts the hold, or what is new about it. */
    void hold(Hold hold);

    /**
     * Puts the hold in place of another one if that takes no room that is used or kept otherwise: no resource of the node
     * gets scarcer than nothing, and no host port is kept that another hold keeps or a pod uses. Else everything stays.
     *
     * @param before the hold that it replaces, maybe of the same id, maybe not there
     * @return whether the hold is there now
     */
    boolean holdIfRoom(Hold hold, HoldId before);

    /** Takes the hold back. The second time changes nothing. */
    void release(HoldId hold);

    /** Has something written once the present turn is over. */
    void write(Effect effect);

    /**
     * Has a place sought for something that is no pod but needs room like one. Its UID must be no pod's. Calling again
     * replaces what is sought for.
     */
    void seek(Pod seeker);

    /** A pod that was refused need not wait for anything else: it is looked at again after its back-off. */
    void reconsider(PodUid pod);

    /** No place is sought any more. */
    void stopSeeking(PodUid seeker);

    /** What the door knows of changed: pods that it may have kept from a place are looked at again. */
    void news();

    /** Something about storage changed: pods that it may have kept from a place are looked at again. */
    void storageChanged(Hint hint, Set<PodUid> pods);

    /** What the pod's binding was held back for is done. */
    void letGo(PodUid pod);

    /**
     * What the pod's binding was held back for came to nothing: its place is free again. The second time changes nothing.
     *
     * @param why what to tell the pod's author, if it is worth telling
     */
    void giveUp(PodUid pod, Optional<String> why);

    /**
     * Takes the place of a pod away whose binding is held back, whoever holds it back. The pod begins anew.
     *
     * @param why what to tell its author
     * @return whether there was such a pod
     */
    boolean interrupt(PodUid pod, String why);

    /** Why the node does not take the pod as things are; empty when it does, or when there is no such node. */
    List<Veto> vetoes(Pod pod, String node, HoldUse use);

    /** Why the node would not take the pod even if these were gone; empty when it would, or when there is no such node. */
    List<Veto> vetoesWithout(Pod pod, String node, Absence absent);

    /**
     * The hold by which the node would take the pod if these were gone; empty when it would without a hold, or not at
     * all.
     */
    Optional<HoldId> holdWithout(Pod pod, String node, Absence absent);
}
