package dev.berth.core.placement;

import dev.berth.core.cluster.Need;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.KnownRefusals.Alike;
import dev.berth.core.placement.Placement.Placed;
import dev.berth.core.placement.Placement.Refused;
import dev.berth.core.placement.filter.Devices;
import dev.berth.core.placement.filter.Hint;
import dev.berth.core.placement.filter.NamedNodes;
import dev.berth.core.placement.filter.NodeCheck;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.placement.filter.Volumes;
import dev.berth.core.placement.neighbour.Neighbourhood;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.Rule;
import dev.berth.core.placement.score.HoldScore;
import dev.berth.core.placement.shape.Choice;
import dev.berth.core.placement.shape.HoldRanking;
import dev.berth.core.placement.shape.HoldRankings;
import dev.berth.core.placement.shape.HoldRankings.Offer;
import dev.berth.core.placement.shape.Mirror;
import dev.berth.core.placement.shape.PodClasses;
import dev.berth.core.placement.shape.Shortlist;
import dev.berth.core.placement.table.NodeTable;
import dev.berth.core.resource.Resources;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/** Finds the node for a pod of one profile. Several share one mirror of the ledger. */
final class ProfilePlacer {
    /** Beyond so many nodes with holds of the pod's own, what was found out about them is kept for the next pod. */
    private static final int FEW_NODES = 4;

    /** On so many nodes at most, the pod's own holds are asked about again for each pod. */
    private static final int FEW_ANSWERS = 8;

    private final Profile profile;
    private final boolean heedsAffinity;
    private final boolean spreadsByDemand;
    private final long holdWeight;
    private final LedgerView ledger;
    private final Devices devices;
    private final Volumes volumes;
    private final Mirror mirror;
    private final NodeTable table;
    private final PodClasses classes;
    private final HoldRankings holdRankings;
    private final NodeCheck check;
    private final KnownRefusals known;

    /**
     * @param world what pods may ask for besides amounts
     * @param capacity about how many bytes the orders kept for shapes of pods may take together
     */
    ProfilePlacer(Mirror mirror, World world, Profile profile, long capacity) {
        this.profile = profile;
        this.heedsAffinity = profile.enforces(Rule.NODE_AFFINITY);
        this.spreadsByDemand = profile.spread().demand();
        this.holdWeight = HoldScore.weight(profile.weights());
        this.ledger = world.ledger;
        this.devices = world.devices;
        this.volumes = world.volumes;
        this.mirror = mirror;
        this.table = mirror.table();
        this.known = new KnownRefusals(table);
        this.classes = new PodClasses(table, mirror.spread(), mirror.selectors(), profile, capacity);
        this.holdRankings = new HoldRankings(table, classes, holdWeight);
        this.check = new NodeCheck(ledger, devices, volumes, this::against, profile);
    }

    /** What is there. */
    record World(LedgerView ledger, Devices devices, Volumes volumes) {}

    /** A node that takes the pod by one of its holds. */
    private record Nominee(NodeState state, Offer offer) {}

    /** See {@link Placer#placeWithin}. */
    Placement placeWithin(Pod pod, HoldUse use, BooleanSupplier timeIsUp) {
        mirror.follow();
        NamedNodes named = named(pod);
        Optional<String> beforehand = beforehand(pod, named);
        if (beforehand.isPresent() || table.nodes() == 0) {
            return Refused.beforehand(table.nodes(), beforehand, Set.of());
        }
        Optional<Veto> unusable = volumes.wantedBy(pod) ? volumes.beforehand(pod) : Optional.empty();
        if (unusable.isPresent()) {
            Veto veto = unusable.get();
            return Refused.beforehand(table.nodes(), Optional.of(veto.words()), veto.hints());
        }
        OwnHolds own = OwnHolds.of(ledger, pod, use);
        Optional<Alike> alike = alike(pod, own, use);
        Optional<Refused> before = alike.flatMap(it -> known.find(it, ledger.version()));
        if (before.isPresent()) {
            return before.get();
        }
        if (!finishTally(alike, pod, named, own, use, timeIsUp)) {
            return Placement.Unfinished.INSTANCE;
        }
        if (!own.isEmpty()) {
            Optional<Placement> held = byHold(pod, named, own, use, timeIsUp);
            if (held.isPresent()) {
                return held.get();
            }
        }
        if (use != HoldUse.REQUIRED) {
            Optional<Choice> choice = byFreeRoom(pod, named);
            if (choice.isPresent()) {
                return placed(choice.get(), Optional.empty());
            }
        }
        return refuse(alike, pod, named, own, use, timeIsUp);
    }

    private Optional<Alike> alike(Pod pod, OwnHolds own, HoldUse use) {
        return kin(pod, use).map(kin -> new Alike(kin, Set.copyOf(own.rules())));
    }

    /**
     * Empty for a pod that devices or volumes may be kept for by name, for one that says where it is, and for one that is
     * refused for the sake of its workloads.
     */
    Optional<Kin> kin(Pod pod, HoldUse use) {
        return pod.nodeName().isPresent() || devices.wantedBy(pod) || volumes.wantedBy(pod) || spreadsByDemand
                ? Optional.empty()
                : Optional.of(new Kin(pod.schedulerName(), pod.shape(), pod.namespace(), pod.labels(), use));
    }

    /** Whether it matters to where the pod may be where the other one is. */
    boolean concerns(Pod pod, Pod other) {
        return mirror.neighbours().concerns(pod, classes, other);
    }

    /** Why the node, as it is given, does not take the pod; empty when it does. */
    List<Veto> vetoes(Pod pod, NodeState state, HoldUse use) {
        return vetoes(check, OwnHolds.of(ledger, pod, use).on(state), pod, state, use);
    }

    /** Why the pod cannot use the hold of its own on the node; empty when it can. */
    List<Veto> vetoes(Pod pod, NodeState state, Hold own) {
        return check.vetoes(pod, named(pod), state, Optional.of(own));
    }

    /** The same of each of the nodes, by name: the pod's own holds are looked for once. */
    Map<String, List<Veto>> vetoes(Pod pod, List<NodeState> states, HoldUse use) {
        OwnHolds own = OwnHolds.of(ledger, pod, use);
        Map<String, List<Veto>> vetoes = new TreeMap<>();
        for (NodeState state : states) {
            vetoes.put(state.node().name(), vetoes(check, own.on(state), pod, state, use));
        }
        return vetoes;
    }

    Set<Hint> hintsAtOwnHolds(Pod pod, HoldUse use) {
        mirror.follow();
        OwnHolds own = OwnHolds.of(ledger, pod, use);
        if (own.isEmpty()) {
            return EnumSet.noneOf(Hint.class);
        }
        Optional<Alike> alike = alike(pod, own, use);
        Optional<Set<Hint>> before = alike.flatMap(it -> known.findHints(it, ledger.version()));
        if (before.isPresent()) {
            return before.get();
        }
        Set<Hint> hints = alike.filter(it -> own.countNodes() > FEW_ANSWERS)
                .flatMap(it -> tally(it, pod))
                .map(tally -> hintsAtHolds(tally, pod, own, use))
                .orElseGet(() -> hintsAtEach(pod, own, use));
        alike.ifPresent(it -> known.keepHints(it, hints));
        return hints;
    }

    private Set<Hint> hintsAtHolds(RefusalTally tally, Pod pod, OwnHolds own, HoldUse use) {
        NamedNodes named = named(pod);
        tally.repair(state -> answer(pod, named, state, own, use), Placer.UNBOUNDED);
        return tally.hintsAtHolds();
    }

    private Set<Hint> hintsAtEach(Pod pod, OwnHolds own, HoldUse use) {
        Set<Hint> hints = EnumSet.noneOf(Hint.class);
        own.nodes().forEach(state -> hints.addAll(hintsAtHolds(pod, own, state, use)));
        return hints;
    }

    private Set<Hint> hintsAtHolds(Pod pod, OwnHolds own, NodeState state, HoldUse use) {
        return own.on(state).isEmpty() ? Set.of() : hints(own, pod, state, use);
    }

    Set<Hint> hints(Pod pod, NodeState state, HoldUse use) {
        return hints(OwnHolds.of(ledger, pod, use), pod, state, use);
    }

    private Set<Hint> hints(OwnHolds own, Pod pod, NodeState state, HoldUse use) {
        NamedNodes named = named(pod);
        Set<Hint> hints = EnumSet.noneOf(Hint.class);
        own.on(state).forEach(hold -> addHints(hints, check.vetoes(pod, named, state, Optional.of(hold))));
        addHints(hints, withoutHold(pod, named, state, use));
        return hints;
    }

    private static void addHints(Set<Hint> hints, List<Veto> vetoes) {
        vetoes.forEach(veto -> hints.addAll(veto.hints()));
    }

    /** Why the node does not take the pod outside the pod's own holds. */
    private List<Veto> withoutHold(Pod pod, NamedNodes named, NodeState state, HoldUse use) {
        return withoutHold(check, pod, named, state, use);
    }

    private static List<Veto> withoutHold(NodeCheck check, Pod pod, NamedNodes named, NodeState state, HoldUse use) {
        return use == HoldUse.REQUIRED
                ? List.of(Veto.of(Veto.Code.NO_OWN_HOLD))
                : check.vetoes(pod, named, state, Optional.empty());
    }

    /** Why the node would not take the pod if things were as in the view; empty when it would. */
    List<Veto> vetoesIn(LedgerView view, Pod pod, NodeState state, HoldUse use) {
        List<Hold> own = OwnHolds.of(view, pod, use).on(state);
        return vetoes(new NodeCheck(view, devices, volumes, this::against, profile), own, pod, state, use);
    }

    /** The hold that the pod fills best of those by which the node would take it if things were as in the view. */
    Optional<HoldId> holdIn(LedgerView view, Pod pod, NodeState state) {
        OwnHolds own = OwnHolds.of(view, pod, HoldUse.PREFERRED);
        NodeCheck there = new NodeCheck(view, devices, volumes, this::against, profile);
        return offer(view, there, pod, named(pod), state, own).map(Offer::hold);
    }

    private List<Veto> vetoes(NodeCheck check, List<Hold> own, Pod pod, NodeState state, HoldUse use) {
        NamedNodes named = named(pod);
        if (own.isEmpty()) {
            return withoutHold(check, pod, named, state, use);
        }
        List<Veto> first = check.vetoes(pod, named, state, own.stream().findFirst());
        boolean taken = own.stream()
                        .anyMatch(hold -> check.vetoes(pod, named, state, Optional.of(hold))
                                .isEmpty())
                || (use != HoldUse.REQUIRED
                        && check.vetoes(pod, named, state, Optional.empty()).isEmpty());
        return taken ? List.of() : first;
    }

    /** The pod's place on the very node that somebody else chose: by the hold there that it fills best, else without. */
    Placement placeOn(Pod pod, NodeState state, HoldUse use) {
        NamedNodes named = named(pod);
        NodeUid uid = state.node().uid();
        String name = state.node().name();
        Optional<Offer> offer = offer(pod, named, state, OwnHolds.of(ledger, pod, use));
        if (offer.isPresent()) {
            return new Placed(name, uid, Optional.of(offer.get().hold()), 0);
        }
        List<Veto> vetoes = vetoes(pod, state, use);
        if (vetoes.isEmpty()) {
            return new Placed(name, uid, Optional.empty(), 0);
        }
        Reasons reasons = new Reasons();
        reasons.add(name, vetoes);
        return Refused.by(1, reasons.curableNodes(), reasons.list());
    }

    /** What every node says to the pod, in the order of their names: its total score or its vetoes. */
    List<NodeVerdict> explain(Pod pod, HoldUse use) {
        mirror.follow();
        NamedNodes named = named(pod);
        OwnHolds own = OwnHolds.of(ledger, pod, use);
        IntFunction<OptionalLong> totals = totals(pod, named, own, use);
        List<NodeVerdict> verdicts = new ArrayList<>();
        for (int slot = 0; slot < table.bound(); slot++) {
            Optional<NodeState> state = table.state(slot);
            if (state.isPresent()) {
                OptionalLong total = totals.apply(slot);
                List<Veto> vetoes = total.isPresent() ? List.of() : reported(pod, named, state.get(), own, use);
                verdicts.add(new NodeVerdict(state.get().node().name(), total, vetoes));
            }
        }
        verdicts.sort(Comparator.comparing(NodeVerdict::node));
        return verdicts;
    }

    /** What the pods that are there mean to this one; empty when nothing. */
    private Optional<Neighbourhood> around(Pod pod) {
        mirror.follow();
        return mirror.neighbours().around(pod, classes);
    }

    private Optional<Veto> against(Pod pod, NodeState state) {
        mirror.follow();
        return mirror.neighbours().veto(pod, state, classes).map(Veto::of);
    }

    private NamedNodes named(Pod pod) {
        return heedsAffinity ? NamedNodes.of(pod.shape().affinity()) : NamedNodes.ANY;
    }

    private static Optional<String> beforehand(Pod pod, NamedNodes named) {
        if (!pod.shape().needs().isEmpty()) {
            String needs =
                    pod.shape().needs().stream().sorted().map(Need::words).collect(Collectors.joining(" and "));
            return Optional.of("pod asks for %s, which Berth does not decide on yet".formatted(needs));
        }
        if (pod.shape().excess().isPresent()) {
            return pod.shape().excess();
        }
        return named.conflict() ? Optional.of("pod affinity terms conflict") : Optional.empty();
    }

    private Placed placed(Choice choice, Optional<HoldId> hold) {
        NodeState state = table.state(choice.slot()).orElseThrow();
        return new Placed(state.node().name(), state.node().uid(), hold, choice.total());
    }

    private Optional<Choice> byFreeRoom(Pod pod, NamedNodes named) {
        if (rankable(pod, named)) {
            Optional<Neighbourhood> around = around(pod);
            return around.isPresent() ? classes.best(pod, around.get()) : classes.best(pod);
        }
        List<Integer> takers = takers(pod, named);
        long[] totals = shortlisted(pod, named, takers);
        int best = -1;
        for (int i = 0; i < totals.length; i++) {
            if (best < 0 || beats(totals[i], takers.get(i), totals[best], takers.get(best))) {
                best = i;
            }
        }
        return best < 0 ? Optional.empty() : Optional.of(new Choice(takers.get(best), totals[best]));
    }

    /**
     * Whether the pod's like comes again and may go anywhere; who asks for named devices, mounts volumes or needs what not
     * every node can do is asked about node by node.
     */
    private boolean rankable(Pod pod, NamedNodes named) {
        return pod.nodeName().isEmpty()
                && named.names().isEmpty()
                && pod.shape().features().isEmpty()
                && !devices.wantedBy(pod)
                && !volumes.wantedBy(pod);
    }

    /** Of the few nodes that come into question, those that take the pod. */
    private List<Integer> takers(Pod pod, NamedNodes named) {
        List<Integer> takers = new ArrayList<>();
        for (NodeState state : inQuestion(pod, named)) {
            if (check.vetoes(pod, named, state, Optional.empty()).isEmpty()) {
                takers.add(state.slot());
            }
        }
        return takers;
    }

    private List<NodeState> inQuestion(Pod pod, NamedNodes named) {
        Optional<List<String>> names = named.names().or(() -> pod.nodeName().map(List::of));
        List<NodeState> states = new ArrayList<>();
        if (names.isPresent()) {
            names.get().forEach(name -> ledger.node(name).ifPresent(states::add));
        } else {
            for (int slot = 0; slot < table.bound(); slot++) {
                table.state(slot).ifPresent(states::add);
            }
        }
        return states;
    }

    private long[] shortlisted(Pod pod, NamedNodes named, List<Integer> slots) {
        Shortlist list = shortlist(pod, named);
        slots.forEach(slot -> list.add(slot, Resources.NONE));
        return list.totals();
    }

    private Shortlist shortlist(Pod pod, NamedNodes named) {
        if (named.names().isEmpty()) {
            return classes.shortlist(pod, around(pod));
        }
        List<Integer> allowed = named.names().get().stream()
                .flatMap(name -> ledger.node(name).stream())
                .filter(state -> pod.shape().affinity().allows(state.node()))
                .map(NodeState::slot)
                .toList();
        return classes.shortlist(pod, around(pod), allowed);
    }

    private boolean beats(long total, int slot, long otherTotal, int otherSlot) {
        return total != otherTotal ? total > otherTotal : table.precedes(slot, otherSlot);
    }

    /** Empty when none of the pod's holds is of use. */
    private Optional<Placement> byHold(Pod pod, NamedNodes named, OwnHolds own, HoldUse use, BooleanSupplier timeIsUp) {
        if (own.countNodes() > FEW_NODES
                && rankable(pod, named)
                && !spreadsByDemand
                && around(pod).isEmpty()) {
            Optional<HoldRanking> ranking =
                    holdRankings.rank(pod, own.rules(), use == HoldUse.REQUIRED, holds(pod, named, own), timeIsUp);
            return ranking.isEmpty()
                    ? Optional.of(Placement.Unfinished.INSTANCE)
                    : ranking.get().best().map(this::placed);
        }
        return byFewHolds(pod, named, own);
    }

    private Placed placed(HoldRankings.Choice best) {
        return placed(
                new Choice(best.slot(), best.total()), Optional.of(best.offer().hold()));
    }

    private Optional<Placement> byFewHolds(Pod pod, NamedNodes named, OwnHolds own) {
        List<Nominee> nominees = nominees(pod, named, own);
        long[] totals = totals(pod, named, nominees);
        int best = -1;
        for (int i = 0; i < totals.length; i++) {
            int slot = nominees.get(i).state.slot();
            if (best < 0
                    || beats(
                            totals[i],
                            slot,
                            totals[best],
                            nominees.get(best).state.slot())) {
                best = i;
            }
        }
        if (best < 0) {
            return Optional.empty();
        }
        Nominee winner = nominees.get(best);
        Choice choice = new Choice(winner.state.slot(), totals[best]);
        return Optional.of(placed(choice, Optional.of(winner.offer.hold())));
    }

    private List<Nominee> nominees(Pod pod, NamedNodes named, OwnHolds own) {
        List<Nominee> nominees = new ArrayList<>();
        for (NodeState state : own.nodes()) {
            offer(pod, named, state, own).ifPresent(offer -> nominees.add(new Nominee(state, offer)));
        }
        return nominees;
    }

    private HoldRankings.Holds holds(Pod pod, NamedNodes named, OwnHolds own) {
        return new HoldRankings.Holds() {
            @Override
            public int[] slots() {
                return own.nodes().stream().mapToInt(NodeState::slot).toArray();
            }

            @Override
            public Optional<Offer> best(int slot) {
                return table.state(slot).flatMap(state -> offer(pod, named, state, own));
            }
        };
    }

    private Optional<Offer> offer(Pod pod, NamedNodes named, NodeState state, OwnHolds own) {
        return offer(ledger, check, pod, named, state, own);
    }

    /**
     * Of the node's holds that the pod can use the one that it fills best; of equals one that draws on another, for it is
     * kept for this very pod or its like; else the first.
     */
    private static Optional<Offer> offer(
            LedgerView view, NodeCheck check, Pod pod, NamedNodes named, NodeState state, OwnHolds own) {
        Optional<Offer> best = Optional.empty();
        boolean bestDraws = false;
        for (Hold hold : own.on(state)) {
            if (check.vetoes(pod, named, state, Optional.of(hold)).isEmpty()) {
                HoldState held = view.holdState(hold.id()).orElseThrow();
                boolean draws = held.draws().on().isPresent();
                long filling =
                        HoldScore.of(hold.size(), held.allocated(), pod.shape().requests());
                if (best.isEmpty()
                        || filling > best.get().filling()
                        || (filling == best.get().filling() && draws && !bestDraws)) {
                    best = Optional.of(new Offer(hold.id(), held.outstanding(), filling));
                    bestDraws = draws;
                }
            }
        }
        return best;
    }

    private long[] totals(Pod pod, NamedNodes named, List<Nominee> nominees) {
        if (nominees.isEmpty()) {
            return new long[0];
        }
        Shortlist list = shortlist(pod, named);
        nominees.forEach(nominee -> list.add(nominee.state.slot(), nominee.offer.outstanding()));
        long[] totals = list.totals();
        for (int i = 0; i < totals.length; i++) {
            totals[i] += holdWeight * nominees.get(i).offer.filling();
        }
        return totals;
    }

    private IntFunction<OptionalLong> totals(Pod pod, NamedNodes named, OwnHolds own, HoldUse use) {
        Map<Integer, Long> few = new HashMap<>();
        boolean all = use != HoldUse.REQUIRED && rankable(pod, named);
        if (use != HoldUse.REQUIRED && !all) {
            List<Integer> takers = takers(pod, named);
            long[] totals = shortlisted(pod, named, takers);
            for (int i = 0; i < totals.length; i++) {
                few.put(takers.get(i), totals[i]);
            }
        }
        List<Nominee> nominees = nominees(pod, named, own);
        long[] held = totals(pod, named, nominees);
        for (int i = 0; i < held.length; i++) {
            few.put(nominees.get(i).state.slot(), held[i]);
        }
        IntFunction<OptionalLong> many = all ? classes.totals(pod, around(pod)) : slot -> OptionalLong.empty();
        return slot -> few.containsKey(slot) ? OptionalLong.of(few.getOrDefault(slot, 0L)) : many.apply(slot);
    }

    private Refused refused(Pod pod, NamedNodes named, OwnHolds own, HoldUse use) {
        Reasons reasons = new Reasons();
        for (int slot = 0; slot < table.bound(); slot++) {
            Optional<NodeState> state = table.state(slot);
            if (state.isPresent()) {
                reasons.add(state.get().node().name(), reported(pod, named, state.get(), own, use));
            }
        }
        return Refused.by(table.nodes(), reasons.curableNodes(), reasons.list());
    }

    /**
     * The same from what the nodes said to pods like this one, where that is kept. Where the pod has holds on few nodes,
     * those are asked, and the others say what they say to its kin without holds.
     */
    private Placement refuse(
            Optional<Alike> alike, Pod pod, NamedNodes named, OwnHolds own, HoldUse use, BooleanSupplier timeIsUp) {
        boolean many = hasManyAnswers(own);
        Optional<RefusalTally> tally = alike.flatMap(it -> tally(many ? it : it.withoutHolds(), pod));
        if (tally.isPresent() && !tally.get().repair(question(pod, named, own, use), timeIsUp)) {
            return Placement.Unfinished.INSTANCE;
        }
        Refused refused = tally.map(it -> many ? it.refused() : it.refusedWith(answers(pod, named, own, use)))
                .orElseGet(() -> refused(pod, named, own, use));
        alike.ifPresent(it -> known.keep(it, refused));
        return refused;
    }

    private static boolean hasManyAnswers(OwnHolds own) {
        return own.countNodes() > FEW_ANSWERS;
    }

    private RefusalTally.Question question(Pod pod, NamedNodes named, OwnHolds own, HoldUse use) {
        OwnHolds asked = hasManyAnswers(own) ? own : own.none();
        return state -> answer(pod, named, state, asked, use);
    }

    /**
     * A tally that was cut off goes on before all else: what comes before a tally is not cut, and may take a turn's time in
     * each of many turns.
     *
     * @return whether none is unfinished
     */
    private boolean finishTally(
            Optional<Alike> alike, Pod pod, NamedNodes named, OwnHolds own, HoldUse use, BooleanSupplier timeIsUp) {
        Optional<RefusalTally> begun =
                alike.flatMap(it -> known.unfinishedTally(hasManyAnswers(own) ? it : it.withoutHolds()));
        return begun.isEmpty() || begun.get().repair(question(pod, named, own, use), timeIsUp);
    }

    private Map<Integer, RefusalTally.Answer> answers(Pod pod, NamedNodes named, OwnHolds own, HoldUse use) {
        Map<Integer, RefusalTally.Answer> answers = new HashMap<>();
        for (NodeState state : own.nodes()) {
            answers.put(state.slot(), answer(pod, named, state, own, use));
        }
        return answers;
    }

    /** Empty where it is not kept yet, and where what other pods demand refuses pods: that changes with any node. */
    private Optional<RefusalTally> tally(Alike alike, Pod pod) {
        return around(pod).isPresent() ? Optional.empty() : known.tally(alike);
    }

    /** The first refusal of a pod asks all nodes: each is asked no more than it must be. */
    private RefusalTally.Answer answer(Pod pod, NamedNodes named, NodeState state, OwnHolds own, HoldUse use) {
        String name = state.node().name();
        List<Veto> without = withoutHold(pod, named, state, use);
        List<Hold> holds = own.on(state);
        if (holds.isEmpty()) {
            return new RefusalTally.Answer(name, without, Set.of());
        }
        List<Veto> first = check.vetoes(pod, named, state, Optional.of(holds.get(0)));
        Set<Hint> hints = EnumSet.noneOf(Hint.class);
        addHints(hints, first);
        for (Hold hold : holds.subList(1, holds.size())) {
            addHints(hints, check.vetoes(pod, named, state, Optional.of(hold)));
        }
        addHints(hints, without);
        return new RefusalTally.Answer(name, first, hints);
    }

    /** Where the pod has holds on the node, the first of them speaks for it. */
    private List<Veto> reported(Pod pod, NamedNodes named, NodeState state, OwnHolds own, HoldUse use) {
        Optional<Hold> first = own.firstOn(state);
        return first.isEmpty() ? withoutHold(pod, named, state, use) : check.vetoes(pod, named, state, first);
    }
}
