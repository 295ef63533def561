package dev.berth.testkit.referee;

import dev.berth.core.cluster.Pod;
import dev.berth.core.decision.Decider;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Fact;
import dev.berth.core.decision.Outcome;
import dev.berth.core.door.preemption.PreemptionDoor;
import dev.berth.core.door.preemption.PreemptionWrite;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.filter.Devices;
import dev.berth.core.placement.profile.Profiles;
import dev.berth.core.queue.BackOff;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.volume.binding.VolumeDoor;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Berth's ledger, placement and doors, as its engine puts them together. */
final class Bench {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    final Ledger ledger = new Ledger();
    final Placer placer;
    private final Decider decider;

    Bench(Profiles profiles) {
        PreemptionDoor preemption = new PreemptionDoor(profiles);
        VolumeDoor volumes = new VolumeDoor(ledger, profiles, preemption.nominatedNodes());
        this.placer = new Placer(ledger, profiles, Devices.NONE, volumes.volumes());
        this.decider = new Decider(
                ledger, placer, new SchedulingQueue(BackOff.DEFAULT), profiles.names(), List.of(volumes, preemption));
    }

    void learn(Fact fact) {
        decider.learn(fact, NOW);
    }

    /** Lets doors do what they do once everything is told: keep what is nominated. */
    void settle() {
        decider.settle(NOW);
        if (!decider.takeEffects().isEmpty()) {
            throw new IllegalStateException("nothing is to be written before a pod is decided on");
        }
    }

    /** What Berth does with a pod that no node takes; the API server agrees to everything it writes. */
    Ruling refuse(Pod pod) {
        settle();
        learn(new Fact.PodSeen(pod));
        decider.advance(NOW);
        decider.settle(NOW);
        Deque<Effect> effects = new ArrayDeque<>(decider.next(NOW).orElse(List.of()));
        String words = "";
        String node = "";
        List<String> victims = new ArrayList<>();
        for (effects.addAll(decider.takeEffects()); !effects.isEmpty(); effects.addAll(decider.takeEffects())) {
            Effect effect = effects.remove();
            if (effect instanceof Effect.MarkUnscheduled mark
                    && mark.pod().uid().equals(pod.uid())) {
                words = mark.message();
            } else if (effect instanceof PreemptionWrite.Nominate nominate
                    && nominate.pod().uid().equals(pod.uid())) {
                node = nominate.node();
            } else if (effect instanceof PreemptionWrite.Delete delete) {
                victims.add(delete.victim().namespace() + "/" + delete.victim().name());
            }
            if (effect instanceof Effect.Write write) {
                decider.written(write, Outcome.WRITTEN, NOW);
                decider.settle(NOW);
            }
        }
        SortedMap<String, List<String>> sacrifice = new TreeMap<>();
        Optional.of(node).filter(name -> !name.isEmpty()).ifPresent(name -> sacrifice.put(name, sorted(victims)));
        return new Ruling(new TreeMap<>(), words, "", sacrifice, "");
    }

    private static List<String> sorted(List<String> victims) {
        return victims.stream().sorted().toList();
    }
}
