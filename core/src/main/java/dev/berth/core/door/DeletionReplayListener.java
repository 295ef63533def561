package dev.berth.core.door;

/** A door that needs to know every pod that was deleted, even while no Berth was the leader. */
public interface DeletionReplayListener extends Door {
    /**
     * The door has been called for every pod that was deleted while no Berth was the leader. If the door does not get
     * this call before all objects are listed, it must find such pods by other means.
     */
    void onDeletionsReplayed();
}
