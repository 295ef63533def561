package dev.berth.core.decision;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.Placement;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One of the ways into the ledger: translates objects of its own into holds, and keeps what those objects say true. Pure
 * and on the ledger's thread, as the {@link Decider} is that calls it: it has neither clock nor I/O.
 *
 * <p>What a door hears may come in any order and before everything was listed; then is the time to keep books and to
 * put holds into the ledger. What must be written follows in {@link #settle}, which compares what is with what should be
 * once everything is known. A door that is killed between any two writes and started anew comes to the same end.
 *
 * <p>The desk that a door is handed is good for that one call.
 */
public interface Door {
    Origin.Door name();

    /** News of one of the door's own objects. */
    default void learn(Fact.OfDoor fact, Desk desk) {}

    /** Who claims one of the door's holds may have changed. */
    default void claimsChanged(HoldId hold, Desk desk) {}

    /** One of the door's holds is no longer in the ledger, though the door did not release it. */
    default void ended(Hold hold, End why, Desk desk) {}

    /** Why a hold ended. */
    enum End {
        DEADLINE,
        NODE_GONE,
        /** It can no longer draw on the hold that it was part of, and the node has no room for it beside that hold. */
        DRAW_BROKEN
    }

    /**
     * The object that keeps one of the door's holds, for events about the hold. Empty where there is no such object yet, or
     * where the door itself reports on it what keeps the hold from being used.
     */
    default Optional<Subject> subject(HoldId hold) {
        return Optional.empty();
    }

    /** What sought a place by {@link Desk#seek} has one; the door puts its hold there before anybody else is placed. */
    default void placed(Pod seeker, Placement.Placed place, Desk desk) {}

    /** What sought a place has none for now; it is tried again when something may help. */
    default void refused(Pod seeker, Placement.Refused refusal, Desk desk) {}

    /** What became of one of the door's writes. */
    default void written(Effect.Write write, Outcome outcome, Desk desk) {}

    /** Everything was listed, and something may have changed since the last time: the time to write. */
    default void settle(Desk desk) {}

    /**
     * All doors have settled: a door puts holds now that must not take the room of any other hold, as far as the turn has
     * time.
     *
     * @return whether the doors have to settle again
     */
    default boolean settleLast(Desk desk) {
        return false;
    }

    /** A Service or a workload appeared or changed; it is in the ledger as it is now. */
    default void workloadSeen(Workload workload, Desk desk) {}

    /** A Service or a workload is gone, from the ledger too. */
    default void workloadGone(Workload.Key key, Desk desk) {}

    /**
     * The door has been told of every pod that was deleted while no Berth led. A door that is not told so before
     * everything was listed must find out by other means.
     */
    default void deletionsReplayed() {}

    /**
     * Pods whose going has consequences that are not written yet. Nobody will hear again that they went: were Berth
     * killed now, its successor would have to be told once more.
     */
    default Set<PodUid> owed() {
        return Set.of();
    }

    /** When {@link #settle} should be called though nothing comes in. */
    default Optional<Instant> nextWake() {
        return Optional.empty();
    }

    /** How many of its writes failed and wait for another try. */
    default int retrying() {
        return 0;
    }

    /** How many of its objects say something malformed. */
    default int invalid() {
        return 0;
    }

    /** A door that pods concern. The others are not told of them: they come and go by the thousand. */
    interface HearsPods extends Door {
        /**
         * Whether pods that are {@link Pod#plain} are none of its business as things are: it is then told neither of their
         * coming nor of their going.
         */
        boolean indifferent();

        /** A pod appeared or changed; it is in the ledger as it is now. */
        void podSeen(Optional<Pod> before, Pod pod, Desk desk);

        /** A pod is gone, from the ledger too. A hold that is put now is there before anybody hears of the room. */
        void podGone(Pod pod, Desk desk);
    }

    /** A door that nodes concern. */
    interface HearsNodes extends Door {
        default void nodeSeen(Node node, Desk desk) {}

        default void nodeGone(Node node, Desk desk) {}
    }

    /** A door that gives pods something at their places. */
    interface Grants extends Door {
        /**
         * A pod has a place, which is assumed next: what the door gives it there, as annotations that its binding writes
         * on it. A pod of which nothing came is forgotten without a word: whether it is still assumed, the ledger says.
         */
        Map<String, String> grant(Pod pod, Placement.Placed place, Desk desk);
    }

    /** A door that may help pods which no node takes. */
    interface Helps extends Door {
        /**
         * No node takes the pod as things are: the door does what it can. The pod waits for something that may help it,
         * whatever that is.
         */
        Help unplaced(Pod pod, Placement.Refused refusal, Desk desk);

        /** What {@link #unplaced} could do about this node, which does not take the pod as things are. */
        Help helpOn(NodeState node, Pod pod, Desk desk);
    }

    /** A door that has something done for some pods between their place and their binding. */
    interface HoldsBack extends Door {
        /**
         * A pod of Berth's own has been assumed at its place: whether its binding has to wait until the door says {@link
         * Desk#letGo} or {@link Desk#giveUp}.
         */
        boolean holdsBack(Pod pod, Placement.Placed place, Desk desk);

        /** Another door took the pod's place away by {@link Desk#interrupt}: nothing need be done for it any more. */
        void interrupted(PodUid pod, Desk desk);
    }
}
