package dev.berth.core.volume.binding;

import dev.berth.core.volume.VolumeWrite;

/** How far a pledge has come. */
sealed interface Progress {
    Progress KEPT = new Kept();
    Progress WAITING = new Waiting();

    /** The claim has its volume. */
    record Kept() implements Progress {}

    /** Somebody else has to do something, or has not answered yet. */
    record Waiting() implements Progress {}

    /** This has to be written first. */
    record ToWrite(VolumeWrite write) implements Progress {}

    /** It will come to nothing, and why. */
    record Broken(String why) implements Progress {}
}
