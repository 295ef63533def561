package dev.berth.core.volumebinding.prebind;

import dev.berth.core.volumebinding.VolumeWrite;

/** How far a pledge has come. */
sealed interface VolumeBindingProgress {
    VolumeBindingProgress DONE = new Done();
    VolumeBindingProgress WAITING = new Waiting();

    /** The claim has its volume. */
    record Done() implements VolumeBindingProgress {}

    /** Somebody else has to do something, or has not answered yet. */
    record Waiting() implements VolumeBindingProgress {}

    /** This has to be written first. */
    record WriteNeeded(VolumeWrite write) implements VolumeBindingProgress {}

    /** It will come to nothing, and why. */
    record Failed(String reason) implements VolumeBindingProgress {}
}
