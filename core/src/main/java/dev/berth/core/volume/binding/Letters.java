package dev.berth.core.volume.binding;

import dev.berth.core.decision.Outcome;
import dev.berth.core.volume.VolumeWrite;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What was written about volumes and claims, and what became of it. A write is made on a version of its object; whatever
 * came of it shows in another version, so until one is seen there is nothing to be learned from the object.
 */
final class Letters {
    /**
     * A write.
     *
     * @param version on which it was made
     * @param outcome empty while there is no answer
     * @param orphaned whether nobody waits for it any more
     */
    record Letter(String version, Optional<Outcome> outcome, boolean orphaned) {
        /** Whether the object, as it is known, can already show what came of it. */
        boolean mayShowIn(String seen) {
            return outcome.isPresent() && !seen.equals(version);
        }

        /** Whether another has changed the object at the same time: then it is not known what it is like now. */
        boolean crossed() {
            return outcome.map(Outcome::kind).equals(Optional.of(Outcome.Kind.CONFLICT));
        }
    }

    private final Map<String, Letter> letters = new HashMap<>();

    void sent(VolumeWrite write) {
        letters.put(write.key(), new Letter(write.version(), Optional.empty(), false));
    }

    void answered(VolumeWrite write, Outcome outcome) {
        letters.computeIfPresent(
                write.key(),
                (key, letter) -> letter.orphaned ? null : new Letter(letter.version, Optional.of(outcome), false));
    }

    /** Nobody waits for what came of it; but while it is on its way, nothing else is sent. */
    void orphan(String key) {
        letters.computeIfPresent(
                key,
                (same, letter) ->
                        letter.outcome.isPresent() ? null : new Letter(letter.version, Optional.empty(), true));
    }

    Optional<Letter> about(String key) {
        return Optional.ofNullable(letters.get(key));
    }
}
