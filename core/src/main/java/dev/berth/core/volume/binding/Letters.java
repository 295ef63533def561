package dev.berth.core.volume.binding;

import dev.berth.core.decision.Outcome;
import dev.berth.core.volume.VolumeWrite;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What was written about volumes and claims, and what became of it. A write is made on a version of its object; whatever
 * came of it shows in another version, so until one is seen there is nothing to be learned from the object. A conflict
 * alone may show in none, when it was not the version that somebody objected to.
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

    /** How long another version is waited for after a conflict. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Map<String, Letter> letters = new HashMap<>();
    private final Map<String, Instant> crossedUntil = new TreeMap<>();

    void sent(VolumeWrite write) {
        crossedUntil.remove(write.key());
        letters.put(write.key(), new Letter(write.version(), Optional.empty(), false));
    }

    void answered(VolumeWrite write, Outcome outcome, Instant now) {
        letters.computeIfPresent(
                write.key(),
                (key, letter) -> letter.orphaned ? null : new Letter(letter.version, Optional.of(outcome), false));
        if (about(write.key()).filter(Letter::crossed).isPresent()) {
            crossedUntil.put(write.key(), now.plus(PATIENCE));
        }
    }

    /**
     * Forgets the conflicts after which nothing new has shown for a while: the same may be written once more, since its
     * version is a precondition.
     *
     * @return what they were about
     */
    Set<String> loseThePatience(Instant now) {
        Set<String> over = new HashSet<>();
        crossedUntil.forEach((key, until) -> {
            if (!until.isAfter(now)) {
                over.add(key);
            }
        });
        over.forEach(this::orphan);
        return over;
    }

    /** When {@link #loseThePatience} has something to do. */
    Optional<Instant> nextWake() {
        return crossedUntil.values().stream().min(Instant::compareTo);
    }

    /** Nobody waits for what came of it; but while it is on its way, nothing else is sent. */
    void orphan(String key) {
        crossedUntil.remove(key);
        letters.computeIfPresent(
                key,
                (same, letter) ->
                        letter.outcome.isPresent() ? null : new Letter(letter.version, Optional.empty(), true));
    }

    Optional<Letter> about(String key) {
        return Optional.ofNullable(letters.get(key));
    }
}
