package dev.berth.core.door.device;

import dev.berth.core.decision.Desk;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Outcome;
import dev.berth.core.decision.Subject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Keeps what devices and claims say of themselves true. Whatever may matter to an object marks it; marked objects are
 * compared with what they should say, and written where they differ. Of each version of an object one write is sent: what
 * follows waits for the next version to show.
 */
final class Upkeep {
    static final String WAITING = "extended resource have been satisfied and waiting to bound";
    static final String HAS_BOUND = "ExtendedResourceClaim has already bound to ExtendedResource";
    private static final String REPORTER = "berth";

    private final Inventory inventory;
    private final ClaimFile claims;
    private final Usage usage;
    private final Set<String> devicesMarked = new TreeSet<>();
    private final Set<DeviceClaim.Key> claimsMarked = new TreeSet<>();
    private final Map<String, Sent> sent = new HashMap<>();

    private record Sent(DeviceWrite write, boolean denied) {}

    Upkeep(Inventory inventory, ClaimFile claims, Usage usage) {
        this.inventory = inventory;
        this.claims = claims;
        this.usage = usage;
    }

    void gone(Device device) {
        markDevice(device.name());
        sent.remove(new DeviceWrite.OfDevice(device.ref(), device.link(), device.status()).key());
    }

    void gone(DeviceClaim claim) {
        markClaim(claim.key());
        sent.remove(new DeviceWrite.OfClaim(claim.ref(), claim.written(), claim.status()).key());
    }

    void markDevice(String name) {
        devicesMarked.add(name);
    }

    void markClaim(DeviceClaim.Key key) {
        claimsMarked.add(key);
    }

    void mark(Usage.User user) {
        devicesMarked.addAll(user.use().devices());
        user.use().byClaim().keySet().forEach(claim -> claimsMarked.add(user.key(claim)));
    }

    void written(DeviceWrite write, Outcome outcome) {
        if (outcome.kind() == Outcome.Kind.GONE) {
            sent.remove(write.key());
            return;
        }
        boolean denied = outcome.kind() == Outcome.Kind.DENIED;
        sent.computeIfPresent(write.key(), (key, last) -> last.write.equals(write) ? new Sent(write, denied) : last);
        if (denied) {
            remark(write);
        }
    }

    private void remark(DeviceWrite write) {
        if (write instanceof DeviceWrite.OfDevice) {
            markDevice(write.ref().name());
        } else {
            markClaim(new DeviceClaim.Key(write.ref().namespace(), write.ref().name()));
        }
    }

    void settle(Desk desk) {
        for (String name : devicesMarked) {
            claimsMarked.addAll(claims.naming(name));
            usage.ofDevice(name)
                    .ifPresent(user -> user.use().byClaim().keySet().forEach(claim -> markClaim(user.key(claim))));
            List.copyOf(inventory.all(name)).forEach(device -> settle(device, desk));
        }
        for (DeviceClaim.Key key : claimsMarked) {
            List.copyOf(claims.all(key)).forEach(claim -> settle(claim, desk));
        }
        devicesMarked.clear();
        claimsMarked.clear();
    }

    private void settle(Device device, Desk desk) {
        Optional<String> lack = inventory.lack(device);
        Optional<Usage.User> user = usage.ofDevice(device.name()).filter(Usage.User::bound);
        Device.Link link = user.map(it -> link(it, device.name())).orElse(Device.Link.NONE);
        String phase = lack.isPresent()
                ? ObjectStatus.PENDING
                : user.isPresent() ? ObjectStatus.BOUND : ObjectStatus.AVAILABLE;
        ObjectStatus status = new ObjectStatus(phase, "", lack.orElse(""));
        DeviceWrite write = new DeviceWrite.OfDevice(device.ref(), link, status);
        if (link.equals(device.link()) && status.equals(device.status())) {
            sent.remove(write.key());
            return;
        }
        send(write, device.problem().isPresent() && !status.equals(device.status()), desk);
    }

    private static Device.Link link(Usage.User user, String device) {
        String claim = user.use().byClaim().entrySet().stream()
                .filter(entry -> entry.getValue().contains(device))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse("");
        return new Device.Link(user.pod().namespace(), claim);
    }

    private void settle(DeviceClaim claim, Desk desk) {
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
        DeviceWrite write = new DeviceWrite.OfClaim(claim.ref(), written, status);
        if (written.equals(claim.written()) && status.equals(claim.status())) {
            sent.remove(write.key());
            return;
        }
        boolean wrong = !status.message().isEmpty() || status.phase().equals(ObjectStatus.LOST);
        send(write, wrong && !status.equals(claim.status()), desk);
    }

    private ObjectStatus status(DeviceClaim claim, Optional<Usage.User> user, List<String> devices) {
        Optional<String> lost =
                devices.stream().flatMap(name -> loss(name).stream()).findFirst();
        if (user.isEmpty() && claim.flaw().isPresent()) {
            return new ObjectStatus("", "", claim.flaw().get());
        }
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
                : inventory.lack(device.get()).map(lack -> "ExtendedResource %s: %s".formatted(name, lack));
    }

    private ObjectStatus doubled(DeviceClaim claim) {
        String group = claims.named(claim.key()).map(it -> it.ref().group()).orElse("");
        return new ObjectStatus("", "", "there is another of this name in the group " + group);
    }

    private void send(DeviceWrite write, boolean news, Desk desk) {
        Sent last = sent.get(write.key());
        boolean another =
                last == null || !last.write.ref().equals(write.ref()) || (last.denied && !last.write.equals(write));
        if (another) {
            sent.put(write.key(), new Sent(write, false));
            desk.write(write);
            if (news) {
                desk.write(announcement(write));
            }
        }
    }

    private static Effect.Announce announcement(DeviceWrite write) {
        boolean device = write instanceof DeviceWrite.OfDevice;
        ObjectRef ref = write.ref();
        Subject subject = new Subject(
                ref.apiVersion(),
                device ? "ExtendedResource" : "ExtendedResourceClaim",
                ref.namespace(),
                ref.name(),
                ref.uid(),
                REPORTER);
        boolean lost = write.status().phase().equals(ObjectStatus.LOST);
        return new Effect.Announce(
                subject,
                Effect.Announce.Kind.warning(lost ? "DeviceLost" : "NotUsable", "Reading"),
                lost ? write.status().reason() : write.status().message());
    }
}
