package dev.berth.core.door.device;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Desk;
import dev.berth.core.decision.Door;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Fact;
import dev.berth.core.decision.Outcome;
import dev.berth.core.decision.Subject;
import dev.berth.core.hold.DeviceUse;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.Placement;
import dev.berth.core.placement.filter.Devices;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.queue.Wake;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Named devices. A pod that makes claims goes only where all of them can be met, and the devices it gets are in the record
 * that its binding writes. The devices' objects then name the pod, which is the truth from there on: a tenant can write
 * its pods' records.
 */
public final class DeviceDoor implements Door.HearsPods, Door.HearsNodes, Door.Grants {
    private static final Effect.Announce.Kind FALSE_RECORD = Effect.Announce.Kind.warning("FalseRecord", "Scheduling");

    private final LedgerView ledger;
    private final Inventory inventory = new Inventory();
    private final ClaimFile claims = new ClaimFile();
    private final Usage usage;
    private final Upkeep upkeep;
    private final Allotment allotment;
    /**
     * Bound pods for whose devices something else speaks than before. Many devices come at once, and one record can name
     * all of them: which ones a pod has is worked out once, before anything asks.
     */
    private final Set<PodUid> doubted = new TreeSet<>();
    /** Bound pods whose records are to be compared with what they have. */
    private final Set<PodUid> suspects = new TreeSet<>();

    private final Map<PodUid, String> reported = new HashMap<>();
    private boolean news;

    public DeviceDoor(LedgerView ledger) {
        this.ledger = ledger;
        this.usage = new Usage(ledger, inventory, claims);
        Duplicates duplicates = new Duplicates(ledger, inventory, usage);
        this.upkeep = new Upkeep(inventory, claims, usage, duplicates);
        this.allotment = new Allotment(ledger, inventory, claims, usage, duplicates, this::workOutDoubted);
    }

    /** What placement asks about devices. */
    public Devices devices() {
        return allotment;
    }

    /** What placement is told where this door is left out: a pod that makes claims is kept waiting, not placed without. */
    public static Devices shut() {
        return new Devices() {
            @Override
            public boolean wantedBy(Pod pod) {
                return pod.annotations().has(DeviceClaim.ANNOTATION);
            }

            @Override
            public Optional<Veto> veto(Pod pod, NodeState state, Optional<Hold> own) {
                return Optional.of(
                        Veto.of(Veto.Code.DEVICE_CLAIM, "the pod claims devices, and Berth leaves them out"));
            }
        };
    }

    @Override
    public Origin.Door name() {
        return Origin.Door.DEVICES;
    }

    @Override
    public void learn(Fact.OfDoor fact, Desk desk) {
        news = true;
        if (fact instanceof DeviceFact.DeviceSeen seen) {
            Optional<Device> before = inventory.find(seen.device().ref().uid());
            before.ifPresent(upkeep::markDuplicates);
            inventory.put(seen.device());
            upkeep.markDevice(seen.device().name());
            before.ifPresent(it -> evidenceChanged(it, seen.device()));
            if (before.isEmpty()) {
                evidenceChanged(seen.device());
            }
        } else if (fact instanceof DeviceFact.DeviceGone gone) {
            inventory.remove(gone.uid()).ifPresent(device -> {
                upkeep.gone(device);
                evidenceChanged(device);
            });
        } else if (fact instanceof DeviceFact.ClaimSeen seen) {
            Optional<DeviceClaim> before = claims.find(seen.claim().ref().uid());
            claims.put(seen.claim());
            upkeep.markClaim(seen.claim().key());
            if (before.filter(it -> it.asksAlike(seen.claim())).isEmpty()) {
                before.ifPresent(it -> doubted.addAll(usage.naming(it.key())));
                doubted.addAll(usage.naming(seen.claim().key()));
            }
        } else if (fact instanceof DeviceFact.ClaimGone gone) {
            claims.remove(gone.uid()).ifPresent(claim -> {
                upkeep.gone(claim);
                doubted.addAll(usage.naming(claim.key()));
            });
        }
    }

    /** Berth itself writes status and link: to the records of pods these do not matter. */
    private void evidenceChanged(Device before, Device device) {
        if (!before.isAlike(device)) {
            evidenceChanged(before);
            evidenceChanged(device);
        } else if (!before.link().equals(device.link())) {
            before.link().user().ifPresent(doubted::add);
            device.link().user().ifPresent(doubted::add);
        }
    }

    private void evidenceChanged(Device device) {
        doubted.addAll(usage.naming(device.name()));
        device.link().user().ifPresent(doubted::add);
    }

    private void workOutDoubted() {
        if (!doubted.isEmpty()) {
            List<PodUid> pods = List.copyOf(doubted);
            doubted.clear();
            pods.forEach(uid -> changed(uid, usage.again(uid)));
        }
    }

    @Override
    public boolean indifferent() {
        return usage.isEmpty();
    }

    @Override
    public void podSeen(Optional<Pod> before, Pod pod, Desk desk) {
        if (!usage.concerns(pod)) {
            return;
        }
        changed(pod.uid(), usage.seen(pod));
    }

    private void changed(PodUid uid, Optional<Usage.User> had) {
        suspects.add(uid);
        Optional<Usage.User> has = usage.of(uid);
        has.filter(user -> had.filter(user::hasTheSameAs).isEmpty()).ifPresent(upkeep::mark);
        had.filter(user -> has.filter(it -> it.use().equals(user.use())).isEmpty())
                .ifPresent(this::freed);
    }

    @Override
    public void podGone(Pod pod, Desk desk) {
        doubted.remove(pod.uid());
        suspects.remove(pod.uid());
        reported.remove(pod.uid());
        usage.gone(pod.uid()).ifPresent(this::freed);
    }

    private void freed(Usage.User user) {
        upkeep.mark(user);
        news = true;
    }

    @Override
    public void nodeSeen(Node node, Desk desk) {
        touched(inventory.put(node));
    }

    @Override
    public void nodeGone(Node node, Desk desk) {
        touched(inventory.remove(node));
    }

    private void touched(Set<String> devices) {
        devices.forEach(name -> {
            upkeep.markDevice(name);
            doubted.addAll(usage.naming(name));
            news = true;
        });
    }

    @Override
    public Map<String, String> grant(Pod pod, Placement.Placed place, Desk desk) {
        if (!allotment.wantedBy(pod)) {
            return Map.of();
        }
        NodeState state = ledger.node(place.nodeName())
                .orElseThrow(() ->
                        new IllegalStateException("pod (%s): node (%s) is not known".formatted(pod, place.nodeName())));
        Allotment.Outcome outcome = allotment.on(pod, state, place.hold().flatMap(ledger::hold));
        outcome.veto().ifPresent(veto -> {
            throw new IllegalStateException("pod (%s) was placed on node (%s), which has no devices for it: %s"
                    .formatted(pod, place.nodeName(), veto.words()));
        });
        DeviceUse use = outcome.use();
        if (use.isEmpty()) {
            return Map.of();
        }
        upkeep.mark(usage.granted(pod, use));
        return Map.of(DeviceUse.ANNOTATION, use.words());
    }

    @Override
    public void written(Effect.Write write, Outcome outcome, Desk desk) {
        if (write instanceof DeviceWrite ours) {
            upkeep.written(ours, outcome, desk);
        }
    }

    @Override
    public void settle(Desk desk) {
        inventory.advance(desk.now()).forEach(name -> {
            upkeep.markDevice(name);
            news = true;
        });
        workOutDoubted();
        usage.lapsed().forEach(this::freed);
        upkeep.settle(desk);
        suspects.forEach(uid -> reportFalseRecord(uid, desk));
        suspects.clear();
        if (news) {
            news = false;
            desk.news();
        }
    }

    private void reportFalseRecord(PodUid uid, Desk desk) {
        List<String> devices = usage.falselyNamed(uid);
        if (devices.isEmpty()) {
            return;
        }
        Optional<Pod> pod = ledger.pod(uid);
        String named = DeviceNames.few(devices);
        if (pod.isPresent() && !named.equals(reported.put(uid, named))) {
            Subject subject =
                    new Subject("v1", "Pod", pod.get().namespace(), pod.get().name(), uid.value(), Subject.BERTH);
            desk.write(new Effect.Announce(
                    subject,
                    FALSE_RECORD,
                    "annotation %s has no effect for devices %s: the pod did not get them by a claim. Remove it."
                            .formatted(DeviceUse.ANNOTATION, named)));
        }
    }

    @Override
    public int retrying() {
        return upkeep.retrying();
    }

    @Override
    public Optional<Instant> nextWake() {
        return Wake.earlier(inventory.nodes().nextWake(), upkeep.nextWake());
    }
}
