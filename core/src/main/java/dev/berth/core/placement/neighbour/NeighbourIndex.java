package dev.berth.core.placement.neighbour;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodShape;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.neighbour.PodAffinity;
import dev.berth.core.cluster.neighbour.PodTerm;
import dev.berth.core.cluster.neighbour.SpreadConstraint;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.placement.spread.SlotCounts;
import dev.berth.core.placement.table.NodeTable;
import dev.berth.core.placement.table.Suitability;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Knows where the pods are that others speak of, and those that speak of others. Told of every pod that comes and goes;
 * costs nothing as long as none of them has anything to say.
 */
public final class NeighbourIndex {
    private static final int COLUMNS = 64;

    private final LedgerView ledger;
    private final NodeTable table;
    private final Crowd crowd;
    private final Bearers bearers;
    private final Concern concern;
    private final Map<String, Column> columns = new LinkedHashMap<>(8, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Column> eldest) {
            return size() > COLUMNS;
        }
    };
    private @Nullable Pod lastPod;
    private Optional<Neighbourhood> last = Optional.empty();
    private long lastVersion = -1;

    public NeighbourIndex(LedgerView ledger, NodeTable table) {
        this.ledger = ledger;
        this.table = table;
        this.crowd = new Crowd(table, ledger::namespaceLabels);
        this.bearers = new Bearers(ledger::namespaceLabels);
        this.concern = new Concern(ledger::namespaceLabels);
    }

    public void arrived(int slot, Pod pod) {
        crowd.arrived(slot, pod);
        bearers.arrived(slot, pod);
    }

    public void left(int slot, Pod pod) {
        crowd.left(slot, pod);
        bearers.left(slot, pod);
    }

    public void namespacesChanged() {
        crowd.namespacesChanged();
        bearers.namespacesChanged();
    }

    /**
     * What other pods mean to the pod. Only where the index has followed the ledger.
     *
     * @param suitability what the nodes are to pods of its shape
     * @return empty where neither it nor any of them has anything to say
     */
    @SuppressWarnings("ReferenceEquality") // The same pod is asked about again and again; an equal one costs a look.
    public Optional<Neighbourhood> around(Pod pod, Function<PodShape, Suitability> suitability) {
        if (lastPod != pod || lastVersion != ledger.version()) {
            last = worksOut(pod, suitability);
            lastPod = pod;
            lastVersion = ledger.version();
        }
        return last;
    }

    /**
     * What other pods have against the pod's being on the node as it is given. Pods that are known to be there and are not
     * given are thought away.
     */
    public Optional<Veto.Code> veto(Pod pod, NodeState given, Function<PodShape, Suitability> suitability) {
        Optional<Neighbourhood> around = around(pod, suitability);
        if (around.isEmpty()) {
            return Optional.empty();
        }
        int slot = given.slot();
        List<Pod> absent = absent(given);
        if (absent.stream().noneMatch(gone -> concern.is(pod, gone))) {
            return around.get().veto(slot);
        }
        absent.forEach(gone -> think(slot, gone, -1));
        Optional<Veto.Code> veto = worksOut(pod, suitability).flatMap(without -> without.veto(slot));
        absent.forEach(gone -> think(slot, gone, 1));
        return veto;
    }

    private void think(int slot, Pod pod, int delta) {
        bearers.think(slot, pod, delta);
        if (delta < 0) {
            crowd.left(slot, pod);
        } else {
            crowd.arrived(slot, pod);
        }
    }

    @SuppressWarnings("ReferenceEquality") // Nearly always the node is given as it is; else it costs a look.
    private List<Pod> absent(NodeState given) {
        Optional<NodeState> known = table.state(given.slot());
        if (known.isEmpty() || known.get() == given || known.get().pods() == given.pods()) {
            return List.of();
        }
        Set<PodUid> there = given.pods().stream().map(Pod::uid).collect(Collectors.toSet());
        return known.get().pods().stream()
                .filter(pod -> !there.contains(pod.uid()))
                .toList();
    }

    /** Whether the other pod can matter to where this one may be. */
    public boolean concerns(Pod pod, Pod other) {
        return concern.is(pod, other);
    }

    private Optional<Neighbourhood> worksOut(Pod pod, Function<PodShape, Suitability> suitability) {
        List<Bearers.Bearing> sayings = bearers.about(pod);
        PodShape shape = pod.shape();
        if (sayings.isEmpty() && shape.podAffinity().isEmpty() && shape.spread().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Neighbourhood(
                spread(pod, true, suitability),
                near(pod),
                unwanted(pod),
                unwanting(sayings),
                () -> new Neighbourhood.Likes(likes(pod, sayings), spread(pod, false, suitability))));
    }

    private Spreadings spread(Pod pod, boolean required, Function<PodShape, Suitability> suitability) {
        List<Spreading> all = new ArrayList<>(0);
        for (SpreadConstraint constraint : pod.shape().spread()) {
            if (constraint.required() == required) {
                all.add(spreading(pod, constraint));
            }
        }
        return all.isEmpty() ? Spreadings.NONE : new Spreadings(all, table, suitability.apply(pod.shape()));
    }

    /** A selector that demands nothing is met by the pod itself, and yet Kubernetes counts nobody by it. */
    private Spreading spreading(Pod pod, SpreadConstraint constraint) {
        Column column = column(constraint.topologyKey());
        Optional<LabelSelector> selector = constraint.podsLike(pod.labels());
        SlotCounts pods = selector.filter(some -> !some.isEmpty())
                .map(some -> crowd.select(Whom.spread(column.key(), pod.namespace(), some)).counts)
                .orElseGet(SlotCounts::new);
        boolean self = selector.filter(some -> some.matches(pod.labels())).isPresent();
        return new Spreading(constraint, column, pods, self);
    }

    private Neighbourhood.Near near(Pod pod) {
        List<PodTerm> terms = pod.shape().podAffinity().near();
        Nearness wanted = new Nearness();
        if (terms.isEmpty()) {
            return new Neighbourhood.Near(wanted, false);
        }
        Whom whom = Whom.all(terms, pod);
        Selection selection = crowd.select(whom);
        terms.forEach(term -> wanted.add(column(term.topologyKey()), selection.counts, 1));
        return new Neighbourhood.Near(wanted, whom.matches(Kin.of(pod), ledger.namespaceLabels(pod.namespace())));
    }

    private Nearness unwanted(Pod pod) {
        Nearness unwanted = new Nearness();
        for (PodTerm term : pod.shape().podAffinity().apart()) {
            unwanted.add(column(term.topologyKey()), crowd.select(Whom.all(List.of(term), pod)).counts, 1);
        }
        return unwanted;
    }

    private Nearness unwanting(List<Bearers.Bearing> sayings) {
        Nearness unwanting = new Nearness();
        for (Bearers.Bearing bearing : sayings) {
            if (bearing.refuses()) {
                unwanting.add(column(bearing.saying().term().topologyKey()), bearing.counts(), 1);
            }
        }
        return unwanting;
    }

    private Nearness likes(Pod pod, List<Bearers.Bearing> sayings) {
        Nearness likes = new Nearness();
        for (PodAffinity.Preference preference : pod.shape().podAffinity().preferred()) {
            PodTerm term = preference.term();
            Selection selection = crowd.select(Whom.all(List.of(term), pod));
            likes.add(column(term.topologyKey()), selection.counts, preference.weight());
        }
        for (Bearers.Bearing bearing : sayings) {
            likes.add(
                    column(bearing.saying().term().topologyKey()),
                    bearing.counts(),
                    bearing.saying().weight());
        }
        return likes;
    }

    private Column column(String key) {
        Column column = columns.computeIfAbsent(key, unknown -> new Column(table, unknown));
        column.repair();
        return column;
    }
}
