package dev.berth.core.placement.neighbour;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.neighbour.PodAffinity;
import dev.berth.core.cluster.neighbour.PodTerm;
import dev.berth.core.placement.spread.SlotCounts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The pods that have something for or against others, counted by slot for each thing that is said. Who says the same is
 * counted together, so that it costs the same however many they are; pods that say nothing cost nothing.
 */
final class Bearers {
    private static final int REMEMBERED = 10_000;

    /** Whether pods do not suffer others near them, demand to be near them, or wish to be near or apart. */
    enum Tone {
        APART,
        NEAR,
        WISH
    }

    /**
     * What pods say of others.
     *
     * @param weight of a wish, negative where they wish to be apart; of others zero
     */
    record Saying(PodTerm term, Tone tone, int weight) {}

    /** A saying and where those are who say it. */
    record Bearing(Saying saying, SlotCounts counts) {
        boolean refuses() {
            return saying.tone() == Tone.APART;
        }
    }

    private final Function<String, Labels> namespaceLabels;
    private final Map<Saying, Bearing> bearings = new HashMap<>();
    private final Filed<Bearing> filed = new Filed<>();
    private final Map<Kin, List<Bearing>> remembered = new HashMap<>();

    Bearers(Function<String, Labels> namespaceLabels) {
        this.namespaceLabels = namespaceLabels;
    }

    void arrived(int slot, Pod pod) {
        if (!pod.shape().podAffinity().isEmpty()) {
            count(slot, pod, 1);
        }
    }

    void left(int slot, Pod pod) {
        if (!pod.shape().podAffinity().isEmpty()) {
            count(slot, pod, -1);
        }
    }

    /** Counts the pod away, or back again, for a moment: what it says stays known, though nobody may say it now. */
    void think(int slot, Pod pod, int delta) {
        forEachSaying(pod, saying -> {
            Bearing bearing = bearings.get(saying);
            if (bearing != null) {
                bearing.counts().add(slot, delta);
            }
        });
    }

    void namespacesChanged() {
        remembered.clear();
    }

    /** What is said of the pod. */
    List<Bearing> about(Pod pod) {
        if (bearings.isEmpty()) {
            return List.of();
        }
        Kin kin = new Kin(pod.namespace(), pod.labels(), false);
        List<Bearing> known = remembered.get(kin);
        if (known == null) {
            if (remembered.size() >= REMEMBERED) {
                remembered.clear();
            }
            known = about(kin);
            remembered.put(kin, known);
        }
        return known;
    }

    private List<Bearing> about(Kin kin) {
        Labels labels = namespaceLabels.apply(kin.namespace());
        List<Bearing> found = new ArrayList<>(0);
        filed.forEachCandidate(kin.labels(), bearing -> {
            if (bearing.saying().term().matches(kin.namespace(), labels, kin.labels())) {
                found.add(bearing);
            }
        });
        return found;
    }

    /** Everything that the pod says of others where it is. */
    static void forEachSaying(Pod pod, Consumer<Saying> visitor) {
        PodAffinity affinity = pod.shape().podAffinity();
        String namespace = pod.namespace();
        affinity.apart().forEach(term -> visitor.accept(new Saying(term.bornBy(namespace), Tone.APART, 0)));
        affinity.near().forEach(term -> visitor.accept(new Saying(term.bornBy(namespace), Tone.NEAR, 0)));
        affinity.preferred()
                .forEach(preference -> visitor.accept(
                        new Saying(preference.term().bornBy(namespace), Tone.WISH, preference.weight())));
    }

    private void count(int slot, Pod pod, int delta) {
        forEachSaying(pod, saying -> count(slot, saying, delta));
    }

    private void count(int slot, Saying saying, int delta) {
        Bearing known = bearings.get(saying);
        Bearing bearing = known == null ? new Bearing(saying, new SlotCounts()) : known;
        if (known == null) {
            bearings.put(saying, bearing);
            filed.add(saying.term().pods(), bearing);
            remembered.clear();
        }
        bearing.counts().add(slot, delta);
        if (bearing.counts().total() == 0) {
            bearings.remove(saying);
            filed.remove(saying.term().pods(), bearing);
            remembered.clear();
        }
    }
}
