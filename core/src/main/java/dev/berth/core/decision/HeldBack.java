package dev.berth.core.decision;

import dev.berth.core.cluster.PodUid;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Binds of pods that have their places, while a door does for them what must come first. */
final class HeldBack {
    private final Office office;
    private final Failure failure;
    private final Map<PodUid, Effect.Bind> binds = new HashMap<>();

    /** What to do about a bind that is not to be. */
    interface Failure {
        List<Effect> notBound(Effect.Bind bind, Optional<String> why, Instant now);

        /** Whoever held it back is told to leave it. */
        void interrupted(PodUid pod, Instant now);
    }

    HeldBack(Office office, Failure failure) {
        this.office = office;
        this.failure = failure;
    }

    void add(Effect.Bind bind) {
        binds.put(bind.pod().uid(), bind);
    }

    void letGo(PodUid pod) {
        Optional.ofNullable(binds.remove(pod)).ifPresent(office::write);
    }

    /** Says whether the pod's bind was held back. */
    boolean interrupt(PodUid pod, String why, Instant now) {
        if (!binds.containsKey(pod)) {
            return false;
        }
        giveUp(pod, Optional.of(why), now);
        failure.interrupted(pod, now);
        return true;
    }

    void giveUp(PodUid pod, Optional<String> why, Instant now) {
        Optional.ofNullable(binds.remove(pod))
                .ifPresent(bind -> failure.notBound(bind, why, now).forEach(office::write));
    }
}
