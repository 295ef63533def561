package dev.berth.core.cluster.neighbour;

import java.util.List;
import java.util.Objects;

/**
 * Whom a pod must be near, whom it must not be near, and whom it likes or dislikes.
 *
 * @param near terms that one and the same other pod must match, all of them
 * @param apart terms that no pod near may match, not any of them
 */
public record PodAffinity(List<PodTerm> near, List<PodTerm> apart, List<Preference> preferred) {
    public static final PodAffinity NONE = new PodAffinity(List.of(), List.of(), List.of());

    /** A term and what each pod near that matches it is worth: less than nothing where the pod would rather be apart. */
    public record Preference(int weight, PodTerm term) {
        public Preference {
            if (weight == 0 || Math.abs(weight) > 100) {
                throw new IllegalArgumentException(
                        "weight (%d) must be from 1 to 100, or from -1 to -100 to be apart".formatted(weight));
            }
        }
    }

    public PodAffinity {
        near = List.copyOf(near);
        apart = List.copyOf(apart);
        preferred = List.copyOf(preferred);
    }

    /** How many terms there are in all. */
    public int size() {
        return near.size() + apart.size() + preferred.size();
    }

    /** With how many expressions of its terms one pod is compared at most. */
    public int mostCompared() {
        int most = preferred.stream()
                .mapToInt(preference -> preference.term().size())
                .sum();
        return most + size(near) + size(apart);
    }

    private static int size(List<PodTerm> terms) {
        return terms.stream().mapToInt(PodTerm::size).sum();
    }

    public boolean isEmpty() {
        return near.isEmpty() && apart.isEmpty() && preferred.isEmpty();
    }

    @Override
    public int hashCode() {
        return isEmpty() ? 0 : Objects.hash(near, apart, preferred);
    }
}
