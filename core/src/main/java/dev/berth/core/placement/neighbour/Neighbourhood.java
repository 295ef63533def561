package dev.berth.core.placement.neighbour;

import dev.berth.core.placement.filter.Veto;
import dev.berth.core.placement.score.ScoreWeights;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the pods that are there mean to one pod that is not: which nodes it cannot be on for their sake, and which it likes.
 * Good for one decision.
 */
public final class Neighbourhood {
    /** Whom the pod must be near, and whether it would do itself where there is nobody yet. */
    record Near(Nearness wanted, boolean self) {}

    /** What makes nodes more or less liked. */
    record Likes(Nearness pods, Spreadings spread) {}

    private final Spreadings spread;
    private final Near near;
    private final Nearness unwanted;
    private final Nearness unwanting;
    private final Supplier<Likes> workOutLikes;
    private @Nullable Likes likes;

    /**
     * @param unwanted the pods that this one must not be near
     * @param unwanting the pods that must not have this one near
     * @param likes what is only worked out where nodes are compared
     */
    Neighbourhood(Spreadings spread, Near near, Nearness unwanted, Nearness unwanting, Supplier<Likes> likes) {
        this.spread = spread;
        this.near = near;
        this.unwanted = unwanted;
        this.unwanting = unwanting;
        this.workOutLikes = likes;
    }

    /** In kube-scheduler's order: the first that is against it speaks alone. */
    public Optional<Veto.Code> veto(int slot) {
        Optional<Veto.Code> uneven = spread.veto(slot);
        if (uneven.isPresent()) {
            return uneven;
        }
        if (!isNear(slot)) {
            return Optional.of(Veto.Code.POD_AFFINITY);
        }
        if (unwanted.isAnybodyNear(slot)) {
            return Optional.of(Veto.Code.POD_ANTI_AFFINITY);
        }
        return unwanting.isAnybodyNear(slot) ? Optional.of(Veto.Code.EXISTING_ANTI_AFFINITY) : Optional.empty();
    }

    /** The first of a series that want to be near each other has nobody to be near to. */
    private boolean isNear(int slot) {
        return near.wanted.isEverybodyNear(slot)
                || (near.self && near.wanted.isNothing() && near.wanted.isPlaced(slot));
    }

    /** What to add to the totals of these nodes, which are compared with each other and no others. */
    public long[] scores(int[] slots, int count, ScoreWeights weights) {
        if (likes == null) {
            likes = workOutLikes.get();
        }
        long[] sums = likes.pods.scores(slots, count);
        long[] evenness = likes.spread.scores(slots, count);
        for (int i = 0; i < count; i++) {
            sums[i] = weights.podAffinity() * sums[i] + weights.spread() * evenness[i];
        }
        return sums;
    }
}
