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
import dev.berth.core.placement.profile.PodAffinityScoring;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.Rule;
import dev.berth.core.placement.spread.SlotCounts;
import dev.berth.core.placement.table.NodeTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Knows where the pods are that others speak of, and those that speak of others. Told of every pod that comes and goes;
 * costs nothing as long as none of them has anything to say.
 */
public final class NeighbourIndex {
    private final LedgerView ledger;
    private final NodeTable table;
    private final Crowd crowd;
    private final Bearers bearers;
    private final Concern concern;
    private final Columns columns;
    private @Nullable Pod lastPod;
    private Optional<Neighbourhood> last = Optional.empty();
    private long lastVersion = -1;

    public NeighbourIndex(LedgerView ledger, NodeTable table) {
        this.ledger = ledger;
        this.table = table;
        this.crowd = new Crowd(table, ledger::namespaceLabels);
        this.bearers = new Bearers(table.labelKeys(), ledger::namespaceLabels);
        this.columns = new Columns(table);
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
     * @param outlook how pods of its profile look at others
     * @return empty where neither it nor any of them has anything to say
     */
    @SuppressWarnings("ReferenceEquality") // The same pod is asked about again and again; an equal one costs a look.
    public Optional<Neighbourhood> around(Pod pod, Outlook outlook) {
        if (lastPod != pod || lastVersion != ledger.version()) {
            last = worksOut(pod, outlook);
            lastPod = pod;
            lastVersion = ledger.version();
        }
        return last;
    }

    /**
     * What other pods have against the pod's being on the node as it is given. Pods that are known to be there and are not
     * given are thought away.
     */
    public Optional<Veto.Code> veto(Pod pod, NodeState given, Outlook outlook) {
        Optional<Neighbourhood> around = around(pod, outlook);
        if (around.isEmpty()) {
            return Optional.empty();
        }
        int slot = given.slot();
        List<Pod> absent = absent(given);
        if (absent.isEmpty() || isNoConcern(pod, outlook.spread(pod), absent)) {
            return around.get().veto(slot);
        }
        absent.forEach(gone -> think(slot, gone, -1));
        Optional<Veto.Code> veto = worksOut(pod, outlook).flatMap(without -> without.veto(slot));
        absent.forEach(gone -> think(slot, gone, 1));
        return veto;
    }

    private boolean isNoConcern(Pod pod, List<SpreadConstraint> spread, List<Pod> others) {
        return others.stream().noneMatch(other -> concern.is(pod, spread, other));
    }

    private void think(int slot, Pod pod, int delta) {
        bearers.think(slot, pod, delta);
        crowd.think(slot, pod, delta);
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
    public boolean concerns(Pod pod, Outlook outlook, Pod other) {
        return concern.is(pod, outlook.spread(pod), other);
    }

    private Optional<Neighbourhood> worksOut(Pod pod, Outlook outlook) {
        List<Bearers.Bearing> sayings = bearers.about(pod);
        PodShape shape = pod.shape();
        List<SpreadConstraint> spread = outlook.spread(pod);
        if (sayings.isEmpty() && shape.podAffinity().isEmpty() && spread.isEmpty()) {
            return Optional.empty();
        }
        Profile profile = outlook.profile();
        boolean even = profile.enforces(Rule.SPREAD);
        boolean social = profile.enforces(Rule.POD_AFFINITY);
        return Optional.of(new Neighbourhood(
                even ? spread(pod, demands(spread, true), outlook) : Spreadings.NONE,
                social ? near(pod) : new Neighbourhood.Near(new Nearness(), false),
                social ? unwanted(pod) : new Nearness(),
                social ? unwanting(sayings) : new Nearness(),
                () -> new Neighbourhood.Likes(
                        likes(pod, sayings, profile.podAffinity()), spread(pod, demands(spread, false), outlook))));
    }

    private static List<SpreadConstraint> demands(List<SpreadConstraint> spread, boolean required) {
        List<SpreadConstraint> some = new ArrayList<>(0);
        for (SpreadConstraint constraint : spread) {
            if (constraint.required() == required) {
                some.add(constraint);
            }
        }
        return some;
    }

    private Spreadings spread(Pod pod, List<SpreadConstraint> constraints, Outlook outlook) {
        if (constraints.isEmpty()) {
            return Spreadings.NONE;
        }
        List<Spreading> all = new ArrayList<>(constraints.size());
        for (SpreadConstraint constraint : constraints) {
            if (!columns.has(constraint.topologyKey())) {
                return Spreadings.nowhere(constraint, columns.get(constraint.topologyKey()));
            }
            all.add(spreading(pod, constraint));
        }
        return new Spreadings(all, table, outlook.suitability(pod.shape()));
    }

    /** A selector that demands nothing is met by the pod itself, and yet Kubernetes counts nobody by it. */
    private Spreading spreading(Pod pod, SpreadConstraint constraint) {
        Column column = columns.get(constraint.topologyKey());
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
        Set<String> keys = terms.stream().map(PodTerm::topologyKey).collect(Collectors.toSet());
        Optional<String> missing =
                keys.stream().filter(key -> !columns.has(key)).findFirst();
        if (missing.isPresent()) {
            wanted.add(columns.get(missing.get()), new SlotCounts(), 1);
            return new Neighbourhood.Near(wanted, false);
        }
        Whom whom = Whom.all(terms, pod);
        Selection selection = crowd.select(whom);
        keys.forEach(key -> wanted.add(columns.get(key), selection.counts, 1));
        return new Neighbourhood.Near(wanted, whom.matches(Kin.of(pod), ledger.namespaceLabels(pod.namespace())));
    }

    private Nearness unwanted(Pod pod) {
        Nearness unwanted = new Nearness();
        for (PodTerm term : pod.shape().podAffinity().apart()) {
            if (columns.has(term.topologyKey())) {
                SlotCounts pods = crowd.select(Whom.all(List.of(term), pod)).counts;
                unwanted.add(columns.get(term.topologyKey()), pods, 1);
            }
        }
        return unwanted;
    }

    private Nearness unwanting(List<Bearers.Bearing> sayings) {
        Nearness unwanting = new Nearness();
        for (Bearers.Bearing bearing : sayings) {
            if (bearing.refuses()) {
                unwanting.add(columns.get(bearing.saying().term().topologyKey()), bearing.counts(), 1);
            }
        }
        return unwanting;
    }

    private Nearness likes(Pod pod, List<Bearers.Bearing> sayings, PodAffinityScoring scoring) {
        Nearness likes = new Nearness();
        if (scoring.ignoresOthers() && pod.shape().podAffinity().preferred().isEmpty()) {
            return likes;
        }
        for (PodAffinity.Preference preference : pod.shape().podAffinity().preferred()) {
            PodTerm term = preference.term();
            if (columns.has(term.topologyKey())) {
                Selection selection = crowd.select(Whom.all(List.of(term), pod));
                likes.add(columns.get(term.topologyKey()), selection.counts, preference.weight());
            }
        }
        for (Bearers.Bearing bearing : sayings) {
            int weight = weight(bearing.saying(), scoring);
            if (weight != 0) {
                likes.add(columns.get(bearing.saying().term().topologyKey()), bearing.counts(), weight);
            }
        }
        return likes;
    }

    private static int weight(Bearers.Saying saying, PodAffinityScoring scoring) {
        return switch (saying.tone()) {
            case APART -> 0;
            case NEAR -> scoring.hardWeight();
            case WISH -> saying.weight();
        };
    }
}
