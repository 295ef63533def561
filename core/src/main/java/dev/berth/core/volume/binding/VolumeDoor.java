package dev.berth.core.volume.binding;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Desk;
import dev.berth.core.decision.Door;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Fact;
import dev.berth.core.decision.Outcome;
import dev.berth.core.door.preemption.NominatedNodes;
import dev.berth.core.door.preemption.PreemptionWrite.Nominate;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.Placement;
import dev.berth.core.placement.filter.Hint;
import dev.berth.core.placement.filter.Volumes;
import dev.berth.core.placement.profile.Profiles;
import dev.berth.core.queue.Wake;
import dev.berth.core.volume.Attachment;
import dev.berth.core.volume.PersistentVolume;
import dev.berth.core.volume.PersistentVolume.ClaimRef;
import dev.berth.core.volume.Storage;
import dev.berth.core.volume.StorageObject;
import dev.berth.core.volume.VolumeClaim;
import dev.berth.core.volume.VolumeFact;
import dev.berth.core.volume.VolumeWrite;
import dev.berth.core.volume.filter.Mentions;
import dev.berth.core.volume.filter.Plan;
import dev.berth.core.volume.filter.VolumeCheck;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Volumes. A pod goes only where its volumes can be had; those that are bound by where it goes are bound first, while the
 * pod is assumed at its place and nobody else gets them. Whatever is written shows in the objects, so that one who is
 * started anew places the pod where its volumes are.
 */
public final class VolumeDoor implements Door.HearsPods, Door.HearsNodes, Door.HoldsBack {
    private static final String PREFIX = "running PreBind plugin \"VolumeBinding\": binding volumes: ";

    private final LedgerView ledger;
    private final Profiles profiles;
    private final Storage storage = new Storage();
    private final Mentions mentions;
    private final Tasks tasks = new Tasks();
    private final Letters letters = new Letters(storage);
    private final Keeping keeping = new Keeping(storage, letters);
    private final StorageNews news = new StorageNews();
    private final VolumeCheck check;
    private final NominatedNodes nominated;

    /**
     * @param profiles whose pods' volumes are looked after, and how long they are waited for
     * @param nominated the writer of nominated nodes, which is one for all doors
     */
    public VolumeDoor(LedgerView ledger, Profiles profiles, NominatedNodes nominated) {
        this.ledger = ledger;
        this.nominated = nominated;
        this.profiles = profiles;
        this.mentions = new Mentions(ledger);
        this.check = new VolumeCheck(ledger, storage, tasks, mentions, profiles.names());
    }

    /** What placement asks about volumes. */
    public Volumes volumes() {
        return check;
    }

    @Override
    public Origin.Door name() {
        return Origin.Door.VOLUMES;
    }

    @Override
    public void learn(Fact.OfDoor fact, Desk desk) {
        if (fact instanceof VolumeFact.Seen seen) {
            Optional<StorageObject> before = storage.put(seen.object());
            touch(seen.object());
            Set<PodUid> concerned = seen.object() instanceof VolumeClaim claim ? mentions.of(claim.key()) : Set.of();
            boolean nobody = seen.object() instanceof VolumeClaim && concerned.isEmpty();
            if (!nobody) {
                news.of(before, seen.object()).forEach(hint -> desk.storageChanged(hint, concerned));
            }
        } else if (fact instanceof VolumeFact.Gone gone) {
            storage.remove(gone.uid()).ifPresent(object -> {
                touch(object);
                forget(object);
                if (object instanceof Attachment) {
                    desk.storageChanged(Hint.VOLUME_DETACHED, Set.of());
                }
            });
        }
    }

    private void touch(StorageObject object) {
        if (object instanceof VolumeClaim claim) {
            tasks.touchClaim(claim.key());
        } else if (object instanceof PersistentVolume volume) {
            tasks.touchVolume(volume.name());
            volume.state().claim().map(ClaimRef::key).ifPresent(tasks::touchClaim);
        }
    }

    private void forget(StorageObject object) {
        if (object instanceof VolumeClaim claim) {
            letters.forget(Pledge.Target.claim(claim.key()));
        } else if (object instanceof PersistentVolume volume) {
            letters.forget(Pledge.Target.volume(volume.name()));
        }
    }

    @Override
    public boolean indifferent() {
        return tasks.isEmpty() && nominated.isEmpty();
    }

    @Override
    public void podSeen(Optional<Pod> before, Pod pod, Desk desk) {
        mentions.add(pod);
        nominated.seen(pod);
        if (!pod.waits() && tasks.of(pod.uid()).isPresent()) {
            abandon(pod.uid(), Optional.empty(), desk);
        }
    }

    @Override
    public void podGone(Pod pod, Desk desk) {
        mentions.remove(pod);
        nominated.gone(pod.uid());
        if (tasks.of(pod.uid()).isPresent()) {
            abandon(pod.uid(), Optional.empty(), desk);
        }
    }

    @Override
    public void nodeGone(Node node, Desk desk) {
        for (Task task : tasks.on(node.name())) {
            abandon(task.pod(), Optional.of("failed to get node \"%s\"".formatted(node.name())), desk);
        }
    }

    @Override
    public boolean holdsBack(Pod pod, Placement.Placed place, Desk desk) {
        if (!check.wantedBy(pod)) {
            return false;
        }
        NodeState state = ledger.node(place.nodeName())
                .orElseThrow(() ->
                        new IllegalStateException("pod (%s): node (%s) is not known".formatted(pod, place.nodeName())));
        Plan plan = check.plan(pod, state.node());
        if (plan.isDone()) {
            return false;
        }
        List<Pledge> pledges = new ArrayList<>();
        plan.matches()
                .forEach(match -> pledges.add(
                        new Pledge.Reserved(match.volume().name(), match.claim().ref())));
        plan.provisions().forEach(claim -> pledges.add(new Pledge.Selected(claim.ref(), place.nodeName())));
        Duration patience = profiles.of(pod.schedulerName()).afterwards().volumePatience();
        tasks.add(new Task(pod.uid(), place.nodeName(), desk.now().plus(patience), pledges));
        nominate(pod, place.nodeName(), desk);
        return true;
    }

    /** Others see meanwhile where it is about to be, and that its room is not free; who sees it already is told nothing. */
    private void nominate(Pod pod, String node, Desk desk) {
        nominated.want(pod.uid(), node, name(), desk);
    }

    @Override
    public void interrupted(PodUid pod, Desk desk) {
        if (tasks.of(pod).isPresent()) {
            abandon(pod, Optional.empty(), desk);
        }
    }

    @Override
    public void written(Effect.Write write, Outcome outcome, Desk desk) {
        if (write instanceof VolumeWrite ours) {
            letters.answered(ours, outcome, desk);
            tasks.touch(Pledge.Target.of(ours));
        } else if (write instanceof Nominate nominate) {
            nominated.answered(nominate, outcome, desk);
        }
    }

    @Override
    public void settle(Desk desk) {
        if (letters.forEachDue(desk, target -> pursue(target, desk)) && pursueTasks(desk)) {
            nominated.settle(desk);
        }
    }

    /** The tasks first: they say what is to be written of the object. */
    private void pursue(Pledge.Target target, Desk desk) {
        tasks.waitingFor(target).forEach(task -> lookAt(task, desk));
        letters.reconcile(target, desk);
    }

    /** Says whether all tasks that are due were looked at. */
    private boolean pursueTasks(Desk desk) {
        for (Task task : tasks.due(desk.now())) {
            lookAt(task, desk);
            if (desk.timeIsUp()) {
                return false;
            }
        }
        return true;
    }

    private void lookAt(Task task, Desk desk) {
        tasks.lookedAt(task);
        pursue(task, desk);
    }

    private void pursue(Task task, Desk desk) {
        Optional<NodeState> state = ledger.node(task.node());
        if (state.isEmpty() || ledger.assumption(task.pod()).isEmpty()) {
            abandon(task.pod(), Optional.empty(), desk);
            return;
        }
        boolean kept = true;
        for (Pledge pledge : task.pledges()) {
            Progress progress = keeping.of(pledge, state.get().node());
            if (progress instanceof Progress.Broken broken) {
                abandon(task.pod(), Optional.of(broken.why()), desk);
                return;
            }
            if (progress instanceof Progress.ToWrite next) {
                letters.write(pledge.target(), next.write(), desk);
            }
            kept &= progress instanceof Progress.Kept;
        }
        if (kept) {
            end(task.pod());
            desk.letGo(task.pod());
        } else if (!task.deadline().isAfter(desk.now())) {
            abandon(task.pod(), Optional.of("context deadline exceeded"), desk);
        }
    }

    /**
     * What is written to volumes and claims stays: it shows, and the pod is placed accordingly. That the pod is about to be
     * somewhere is no longer true.
     */
    private void abandon(PodUid pod, Optional<String> why, Desk desk) {
        end(pod);
        desk.giveUp(pod, why.map(PREFIX::concat));
        nominated.want(pod, "", name(), desk);
        desk.storageChanged(Hint.VOLUME_CHANGED, Set.of());
    }

    private void end(PodUid pod) {
        tasks.remove(pod).forEach(pledge -> letters.orphan(pledge.target()));
    }

    @Override
    public int retrying() {
        return letters.retrying();
    }

    @Override
    public Optional<Instant> nextWake() {
        return Wake.earlier(Wake.earlier(tasks.nextDeadline(), letters.nextWake()), nominated.nextWake());
    }
}
