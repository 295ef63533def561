package dev.berth.core.placement.neighbour;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.neighbour.PodAffinity;
import dev.berth.core.cluster.neighbour.PodTerm;
import dev.berth.core.placement.spread.SlotCounts;
import dev.berth.core.placement.table.LabelKeys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The pods that have something for or against others, counted by slot for each thing that is said. Who says the same is
 * counted together, so that it costs the same however many they are; pods that say nothing cost nothing. What is said of a
 * topology that no node has is counted, for nodes may come that have it, but no decision uses it.
 */
final class Bearers {
    private static final int REMEMBERED = 10_000;
    /** So many sayings may be remembered of all kins together: a pod may have many terms that speak of everybody. */
    private static final int REMEMBERED_SAYINGS = 1_000_000;
    /** About how many bytes the kins themselves may retain: the labels of one pod may take more than a megabyte. */
    private static final long REMEMBERED_BYTES = 16L << 20;

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

    private final LabelKeys labelKeys;
    private final Function<String, Labels> namespaceLabels;
    private final Map<Saying, Bearing> bearings = new HashMap<>();
    /** Those of topologies that nodes have. */
    private Filed<Bearing> filed = new Filed<>();

    private final Map<Kin, List<Bearing>> remembered = new HashMap<>();
    private int rememberedSayings;
    private long rememberedBytes;
    private long filedAt;

    Bearers(LabelKeys labelKeys, Function<String, Labels> namespaceLabels) {
        this.labelKeys = labelKeys;
        this.filedAt = labelKeys.version();
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
        forgetKins();
    }

    private void forgetKins() {
        remembered.clear();
        rememberedSayings = 0;
        rememberedBytes = 0;
    }

    /** What is said of the pod in topologies that nodes have. */
    List<Bearing> about(Pod pod) {
        if (bearings.isEmpty()) {
            return List.of();
        }
        if (filedAt != labelKeys.version()) {
            fileAnew();
        }
        Kin kin = new Kin(pod.namespace(), pod.labels(), false);
        List<Bearing> known = remembered.get(kin);
        if (known == null) {
            known = about(kin);
            remember(kin, known);
        }
        return known;
    }

    private void remember(Kin kin, List<Bearing> known) {
        long bytes = kin.labels().retainedBytes();
        if (remembered.size() >= REMEMBERED
                || rememberedSayings + known.size() > REMEMBERED_SAYINGS
                || rememberedBytes + bytes > REMEMBERED_BYTES) {
            forgetKins();
        }
        rememberedBytes += bytes;
        remembered.put(kin, known);
        rememberedSayings += known.size();
    }

    private void fileAnew() {
        filed = new Filed<>();
        bearings.values().forEach(this::file);
        filedAt = labelKeys.version();
        forgetKins();
    }

    private void file(Bearing bearing) {
        PodTerm term = bearing.saying().term();
        if (labelKeys.contains(term.topologyKey())) {
            filed.add(term.pods(), bearing);
            forgetKins();
        }
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
            file(bearing);
        }
        bearing.counts().add(slot, delta);
        if (bearing.counts().total() == 0) {
            bearings.remove(saying);
            if (filed.remove(saying.term().pods(), bearing)) {
                forgetKins();
            }
        }
    }
}
