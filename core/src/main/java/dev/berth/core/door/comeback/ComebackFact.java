package dev.berth.core.door.comeback;

import dev.berth.core.decision.Fact;
import dev.berth.core.hold.Origin;

/** What the door reads besides pods and nodes. */
public sealed interface ComebackFact extends Fact.OfDoor {
    /** A reservation appeared or changed. */
    record PlaceholderSeen(Placeholder placeholder) implements ComebackFact {}

    record PlaceholderGone(String uid) implements ComebackFact {}

    /** A Deployment that says something to this door appeared or changed. */
    record PetitionSeen(Petition petition) implements ComebackFact {}

    /** The Deployment is gone, or says nothing any more. */
    record PetitionGone(String uid) implements ComebackFact {}

    /** A part of the checkpoint appeared or changed. */
    record CheckpointSeen(CheckpointObject object) implements ComebackFact {}

    record CheckpointGone(String uid) implements ComebackFact {}

    @Override
    default Origin.Door door() {
        return Origin.Door.RETURN;
    }
}
