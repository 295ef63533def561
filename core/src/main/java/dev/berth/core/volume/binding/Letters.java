package dev.berth.core.volume.binding;

import dev.berth.core.decision.Desk;
import dev.berth.core.decision.Outcome;
import dev.berth.core.decision.Subject;
import dev.berth.core.reconcile.Reconciler;
import dev.berth.core.reconcile.Source;
import dev.berth.core.volume.ClaimKey;
import dev.berth.core.volume.PersistentVolume;
import dev.berth.core.volume.Storage;
import dev.berth.core.volume.VolumeClaim;
import dev.berth.core.volume.VolumeWrite;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What is written about volumes and claims for the sake of tasks, and what became of it. A write is made on a version of
 * its object; whatever came of it shows in another version, so until one is seen there is nothing to be learned from the
 * object.
 */
final class Letters implements Source<Pledge.Target, VolumeWrite> {

    private final Storage storage;
    private final Reconciler<Pledge.Target, VolumeWrite> reconciler = new Reconciler<>(this);
    /** What tasks want written. */
    private final Map<Pledge.Target, VolumeWrite> wishes = new HashMap<>();
    /** The versions on which writes were made that the API server took. */
    private final Map<Pledge.Target, String> taken = new HashMap<>();
    /** What the API server said of objects that it does not have. */
    private final Map<Pledge.Target, String> missing = new HashMap<>();

    Letters(Storage storage) {
        this.storage = storage;
    }

    @Override
    public String version(Pledge.Target target) {
        return target.volume().isEmpty()
                ? storage.claim(target.claim()).map(VolumeClaim::version).orElse("")
                : storage.volume(target.volume()).map(PersistentVolume::version).orElse("");
    }

    /** What was wanted of another version is decided on anew. */
    @Override
    public Optional<VolumeWrite> wanted(Pledge.Target target, Desk desk) {
        return Optional.ofNullable(wishes.get(target))
                .filter(write -> write.version().equals(version(target)));
    }

    @Override
    public Subject subject(VolumeWrite write) {
        ClaimKey claim = write instanceof VolumeWrite.Reserve reserve
                ? reserve.claim().key()
                : ((VolumeWrite.SelectNode) write).claim();
        String uid = storage.claim(claim).map(VolumeClaim::uid).orElse("");
        return new Subject("v1", "PersistentVolumeClaim", claim.namespace(), claim.name(), uid, Subject.BERTH);
    }

    @Override
    public String consequence(VolumeWrite write) {
        return "Pods that mount the claim wait.";
    }

    void write(Pledge.Target target, VolumeWrite write, Desk desk) {
        wishes.put(target, write);
        reconciler.reconcile(target, desk);
    }

    void answered(VolumeWrite write, Outcome outcome, Desk desk) {
        Pledge.Target target = Pledge.Target.of(write);
        if (!reconciler.answered(target, write, outcome, desk) || !wishes.containsKey(target)) {
            return;
        }
        switch (outcome.kind()) {
            case WRITTEN -> taken.put(target, write.version());
            case GONE -> missing.put(target, outcome.message());
            case CONFLICT, DENIED -> {}
        }
    }

    /** Why the object cannot be written as things are; empty when it can. */
    Optional<String> refusal(Pledge.Target target) {
        return Optional.ofNullable(missing.get(target)).or(() -> reconciler.denial(target));
    }

    /** Whether the object, as it is known, cannot show yet what came of a write. */
    boolean waits(Pledge.Target target) {
        return reconciler.waits(target);
    }

    /** Whether the API server took a write and a newer version of the object was seen since. */
    boolean wasTaken(Pledge.Target target) {
        return Optional.ofNullable(taken.get(target))
                .filter(version -> !version.equals(version(target)))
                .isPresent();
    }

    /** No task wants it written any more. What is on its way stays so. */
    void orphan(Pledge.Target target) {
        wishes.remove(target);
        taken.remove(target);
        missing.remove(target);
        reconciler.touch(target);
    }

    /** The object is gone. */
    void forget(Pledge.Target target) {
        reconciler.forget(target);
    }

    /** As {@link Reconciler#forEachDue}. */
    boolean forEachDue(Desk desk, Consumer<Pledge.Target> door) {
        return reconciler.forEachDue(desk, door);
    }

    void reconcile(Pledge.Target target, Desk desk) {
        reconciler.reconcile(target, desk);
    }

    int retrying() {
        return reconciler.retrying();
    }

    Optional<Instant> nextWake() {
        return reconciler.nextWake();
    }
}
