package dev.berth.core.door;

/** A door that is reconciled once more in a turn, after all components. */
public interface LateReconciler extends Door {
    /**
     * All components are reconciled. The door now puts the holds that must not take resources of any other hold, as far
     * as the turn has time.
     *
     * @return whether all components have to be reconciled again
     */
    boolean reconcileLast(DoorHandle handle);
}
