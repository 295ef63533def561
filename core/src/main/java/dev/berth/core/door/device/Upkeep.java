package dev.berth.core.door.device;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Desk;
import dev.berth.core.decision.Effect.Announce;
import dev.berth.core.decision.Outcome;
import dev.berth.core.decision.Subject;
import dev.berth.core.reconcile.Reconciler;
import dev.berth.core.reconcile.Source;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Keeps what devices and claims say of themselves true. Whatever may matter to an object marks it; marked objects are
 * compared with what they should say, and the {@link Reconciler} writes those that differ.
 */
final class Upkeep implements Source<Upkeep.Key, DeviceWrite> {
    static final String WAITING = "extended resource have been satisfied and waiting to bound";
    static final String HAS_BOUND = "ExtendedResourceClaim has already bound to ExtendedResource";

    private final Inventory inventory;
    private final ClaimFile claims;
    private final Usage usage;
    private final Duplicates duplicates;
    private final Set<String> devicesMarked = new TreeSet<>();
    private final Set<DeviceClaim.Key> claimsMarked = new TreeSet<>();
    private final Reconciler<Key, DeviceWrite> reconciler = new Reconciler<>(this);
    /** What is wrong with objects, as their events say it. */
    private final Map<Key, String> told = new HashMap<>();

    /** A device or a claim, by its UID. */
    record Key(boolean device, String uid) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int byKind = Boolean.compare(other.device, device);
            return byKind != 0 ? byKind : uid.compareTo(other.uid);
        }

        static Key of(DeviceWrite write) {
            return new Key(write instanceof DeviceWrite.OfDevice, write.ref().uid());
        }
    }

    Upkeep(Inventory inventory, ClaimFile claims, Usage usage, Duplicates duplicates) {
        this.inventory = inventory;
        this.claims = claims;
        this.usage = usage;
        this.duplicates = duplicates;
    }

    void gone(Device device) {
        markDevice(device.name());
        markDuplicates(device);
        forget(new Key(true, device.ref().uid()));
    }

    void gone(DeviceClaim claim) {
        markClaim(claim.key());
        forget(new Key(false, claim.ref().uid()));
    }

    private void forget(Key key) {
        reconciler.forget(key);
        told.remove(key);
    }

    void markDevice(String name) {
        devicesMarked.add(name);
    }

    /** Which object counts for the device may change with what becomes of this one. */
    void markDuplicates(Device device) {
        inventory.duplicatesOf(device).forEach(other -> markDevice(other.name()));
    }

    void markClaim(DeviceClaim.Key key) {
        claimsMarked.add(key);
    }

    void mark(Usage.User user) {
        devicesMarked.addAll(user.use().devices());
        user.use().byClaim().keySet().forEach(claim -> claimsMarked.add(user.key(claim)));
    }

    void written(DeviceWrite write, Outcome outcome, Desk desk) {
        reconciler.answered(Key.of(write), write, outcome, desk);
    }

    int retrying() {
        return reconciler.retrying();
    }

    Optional<Instant> nextWake() {
        return reconciler.nextWake();
    }

    void settle(Desk desk) {
        List.copyOf(devicesMarked).forEach(name -> inventory.all(name).forEach(this::markDuplicates));
        Set<PodUid> users = new HashSet<>();
        for (String name : devicesMarked) {
            claimsMarked.addAll(claims.naming(name));
            usage.ofDevice(name)
                    .filter(user -> users.add(user.pod().uid()))
                    .ifPresent(user -> user.use().byClaim().keySet().forEach(claim -> markClaim(user.key(claim))));
            inventory
                    .all(name)
                    .forEach(device -> touch(new Key(true, device.ref().uid())));
        }
        for (DeviceClaim.Key key : claimsMarked) {
            claims.all(key).forEach(claim -> touch(new Key(false, claim.ref().uid())));
        }
        devicesMarked.clear();
        claimsMarked.clear();
        reconciler.forEachDue(
                desk, key -> reconciler.reconcile(key, desk).ifPresent(sent -> announce(key, sent, desk)));
    }

    private void touch(Key key) {
        reconciler.touch(key);
    }

    @Override
    public String version(Key key) {
        return ref(key).map(ObjectRef::version).orElse("");
    }

    private Optional<ObjectRef> ref(Key key) {
        return key.device
                ? inventory.find(key.uid).map(Device::ref)
                : claims.find(key.uid).map(DeviceClaim::ref);
    }

    @Override
    public Optional<DeviceWrite> wanted(Key key, Desk desk) {
        return key.device
                ? inventory.find(key.uid).flatMap(this::wanted)
                : claims.find(key.uid).flatMap(this::wanted);
    }

    private Optional<DeviceWrite> wanted(Device device) {
        Optional<String> lack = lack(device);
        Optional<Usage.User> user = usage.ofDevice(device.name()).filter(Usage.User::bound);
        Device.Link link = user.map(it -> link(it, device.name())).orElse(Device.Link.NONE);
        String phase = lack.isPresent()
                ? ObjectStatus.PENDING
                : user.isPresent() ? ObjectStatus.BOUND : ObjectStatus.AVAILABLE;
        ObjectStatus status =
                new ObjectStatus(phase, "", lack.or(() -> remark(device)).orElse(""));
        return link.equals(device.link()) && status.equals(device.status())
                ? Optional.empty()
                : Optional.of(new DeviceWrite.OfDevice(device.ref(), link, status));
    }

    private Optional<String> lack(Device device) {
        return inventory
                .lack(device)
                .or(() -> duplicates.lack(device))
                .or(() ->
                        usage.ofDevice(device.name()).isPresent() ? Optional.empty() : inventory.severalNodes(device));
    }

    /** What is wrong with a device that its pod keeps all the same. */
    private Optional<String> remark(Device device) {
        return duplicates.usedTwice(device).or(() -> inventory.severalNodes(device));
    }

    private static Device.Link link(Usage.User user, String device) {
        String claim = user.use().byClaim().entrySet().stream()
                .filter(entry -> entry.getValue().contains(device))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse("");
        return new Device.Link(user.pod().namespace(), claim, user.pod().uid().value());
    }

    private Optional<DeviceWrite> wanted(DeviceClaim claim) {
        List<String> asked = claim.ask().names();
        boolean counts = claims.named(claim.key())
                .filter(it -> it.ref().uid().equals(claim.ref().uid()))
                .isPresent();
        Optional<Usage.User> user = counts ? usage.ofClaim(claim.key()) : Optional.empty();
        Optional<Usage.User> bound = user.filter(Usage.User::bound);
        DeviceClaim.Written written = bound.map(it -> new DeviceClaim.Written(
                        it.use().devicesOf(claim.ref().name()),
                        Optional.of(asked),
                        Optional.of(it.pod().name())))
                .orElseGet(() -> new DeviceClaim.Written(asked, Optional.empty(), Optional.empty()));
        ObjectStatus status = counts ? status(claim, user, written.names()) : doubled(claim);
        return written.equals(claim.written()) && status.equals(claim.status())
                ? Optional.empty()
                : Optional.of(new DeviceWrite.OfClaim(claim.ref(), written, status));
    }

    private ObjectStatus status(DeviceClaim claim, Optional<Usage.User> user, List<String> devices) {
        Optional<String> flaw = user.isEmpty() ? claim.flaw() : Optional.empty();
        if (flaw.isPresent()) {
            return new ObjectStatus("", "", flaw.get());
        }
        Optional<String> lost =
                devices.stream().flatMap(name -> loss(name).stream()).findFirst();
        if (lost.isPresent()) {
            return new ObjectStatus(ObjectStatus.LOST, lost.get(), "");
        }
        return user.map(it -> it.bound()
                        ? new ObjectStatus(ObjectStatus.BOUND, HAS_BOUND, "")
                        : new ObjectStatus(ObjectStatus.PENDING, WAITING, ""))
                .orElse(ObjectStatus.NONE);
    }

    private Optional<String> loss(String name) {
        Optional<Device> device = inventory.named(name);
        return device.isEmpty()
                ? Optional.of("ExtendedResource %s not found in cluster.".formatted(name))
                : lack(device.get()).map(lack -> "ExtendedResource %s: %s".formatted(name, lack));
    }

    private ObjectStatus doubled(DeviceClaim claim) {
        String group = claims.named(claim.key()).map(it -> it.ref().group()).orElse("");
        return new ObjectStatus("", "", "there is another of this name in the group " + group);
    }

    /** What is wrong with an object is told when its status says so for the first time. */
    private void announce(Key key, DeviceWrite write, Desk desk) {
        boolean lost = write.status().phase().equals(ObjectStatus.LOST);
        String text = lost ? write.status().reason() : write.status().message();
        boolean wrong = key.device
                ? inventory.find(key.uid).filter(this::isAuthorsMistake).isPresent()
                : !text.isEmpty() || lost;
        boolean said = saysAlready(key, write.status());
        if (!wrong) {
            takeBack(key, write, desk);
        } else if (!said && !text.equals(told.put(key, text))) {
            Announce.Kind kind = Announce.Kind.warning(lost ? "DeviceLost" : "NotUsable", "Reading");
            desk.write(new Announce(subject(write), kind, text));
        }
    }

    /** A device whose node is down is not usable yet, and its status says so. */
    private void takeBack(Key key, DeviceWrite write, Desk desk) {
        if (told.remove(key) != null && !(key.device && write.status().phase().equals(ObjectStatus.PENDING))) {
            Subject subject = subject(write);
            desk.write(new Announce(
                    subject,
                    Announce.Kind.normal("Usable", "Reading"),
                    "%s %s can be used again.".formatted(subject.kind(), subject.name())));
        }
    }

    /** Rather than a state of the device's node, of which the node itself tells. */
    private boolean isAuthorsMistake(Device device) {
        return device.problem().isPresent()
                || duplicates.lack(device).isPresent()
                || remark(device).isPresent();
    }

    private boolean saysAlready(Key key, ObjectStatus status) {
        Optional<ObjectStatus> seen = key.device
                ? inventory.find(key.uid).map(Device::status)
                : claims.find(key.uid).map(DeviceClaim::status);
        return seen.equals(Optional.of(status));
    }

    @Override
    public Subject subject(DeviceWrite write) {
        ObjectRef ref = write.ref();
        String kind = write instanceof DeviceWrite.OfDevice ? "ExtendedResource" : "ExtendedResourceClaim";
        return new Subject(ref.apiVersion(), kind, ref.namespace(), ref.name(), ref.uid(), Subject.BERTH);
    }
}
