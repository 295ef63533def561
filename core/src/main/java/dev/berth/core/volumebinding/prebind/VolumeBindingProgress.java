package dev.berth.core.volumebinding.prebind;

import dev.berth.core.volumebinding.VolumeWrite;

/** The progress of a volume decision. */
sealed interface VolumeBindingProgress {
    VolumeBindingProgress DONE = new Done();
    VolumeBindingProgress WAITING = new Waiting();

    /** The claim is bound. */
    record Done() implements VolumeBindingProgress {}

    /** The volume controller or the provisioner has to act, or a write has no result yet. */
    record Waiting() implements VolumeBindingProgress {}

    /** This write is needed first. */
    record WriteNeeded(VolumeWrite write) implements VolumeBindingProgress {}

    /** The decision failed, for this reason. */
    record Failed(String reason) implements VolumeBindingProgress {}
}
