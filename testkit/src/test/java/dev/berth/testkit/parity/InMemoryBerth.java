package dev.berth.testkit.parity;

import static dev.berth.core.testing.SchedulerBuilder.aScheduler;

import dev.berth.core.cluster.Pod;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.fact.Fact;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.nomination.NominatedNodeWriter;
import dev.berth.core.nomination.SetNominatedNode;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.profile.Profiles;
import dev.berth.core.preemption.DefaultPreemption;
import dev.berth.core.preemption.PreemptionWrite;
import dev.berth.core.scheduling.Scheduler;
import dev.berth.core.volumebinding.prebind.VolumeBinding;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Berth's ledger, placement and doors, as its engine puts them together. */
final class InMemoryBerth {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    final Ledger ledger = new Ledger();
    final Placer placer;
    private final Scheduler scheduler;

    InMemoryBerth(Profiles profiles) {
        NominatedNodeWriter nominatedNodes = new NominatedNodeWriter();
        DefaultPreemption preemption = new DefaultPreemption(profiles, nominatedNodes);
        VolumeBinding volumes = new VolumeBinding(ledger, profiles, nominatedNodes);
        this.placer = new Placer(ledger, profiles, List.of(volumes));
        this.scheduler = aScheduler(ledger)
                .serving(profiles.schedulerNames())
                .withPlugins(volumes, nominatedNodes, preemption)
                .build(placer);
    }

    void apply(Fact fact) {
        scheduler.apply(fact, NOW);
    }

    /** Reconciles the plugins once all objects are applied: they hold nominated nodes. */
    void reconcile() {
        scheduler.reconcileComponents(NOW);
        if (!scheduler.drainEffects().isEmpty()) {
            throw new IllegalStateException("nothing is to be written before a pod is decided on");
        }
    }

    /** What Berth does with a pod that no node takes; the API server agrees to everything it writes. */
    SchedulingOutcome handleUnschedulable(Pod pod) {
        reconcile();
        apply(new Fact.PodUpserted(pod));
        scheduler.advance(NOW);
        scheduler.reconcileComponents(NOW);
        Deque<Effect> effects = new ArrayDeque<>(scheduler.scheduleOne(NOW).orElse(List.of()));
        String words = "";
        String node = "";
        List<String> victims = new ArrayList<>();
        for (effects.addAll(scheduler.drainEffects()); !effects.isEmpty(); effects.addAll(scheduler.drainEffects())) {
            Effect effect = effects.remove();
            if (effect instanceof Effect.MarkUnscheduled mark
                    && mark.pod().uid().equals(pod.uid())) {
                words = mark.message();
            } else if (effect instanceof SetNominatedNode nominate
                    && nominate.pod().uid().equals(pod.uid())) {
                node = nominate.node();
            } else if (effect instanceof PreemptionWrite.Delete delete) {
                victims.add(delete.victim().namespace() + "/" + delete.victim().name());
            }
            if (effect instanceof Effect.Write write) {
                scheduler.onWriteResult(write, WriteResult.WRITTEN, NOW);
                scheduler.reconcileComponents(NOW);
            }
        }
        SortedMap<String, List<String>> victimsByNode = new TreeMap<>();
        Optional.of(node).filter(name -> !name.isEmpty()).ifPresent(name -> victimsByNode.put(name, sorted(victims)));
        return new SchedulingOutcome(new TreeMap<>(), words, "", victimsByNode, "");
    }

    private static List<String> sorted(List<String> victims) {
        return victims.stream().sorted().toList();
    }
}
