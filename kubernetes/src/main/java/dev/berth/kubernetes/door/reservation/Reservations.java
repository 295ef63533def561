package dev.berth.kubernetes.door.reservation;

import dev.berth.core.door.reservation.Condition;
import dev.berth.core.door.reservation.CurrentOwner;
import dev.berth.core.door.reservation.ReservationFact;
import dev.berth.core.door.reservation.ReservationWrite;
import dev.berth.core.door.reservation.Status;
import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.Resources;
import dev.berth.kubernetes.effects.ObjectForms;
import dev.berth.kubernetes.effects.ObjectRequest;
import dev.berth.kubernetes.feed.DoorFeeds;
import dev.berth.kubernetes.feed.ObjectFeed;
import dev.berth.kubernetes.json.Tree;
import dev.berth.kubernetes.watch.KindPath;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the door of reservations reads and how its writes look on the wire. */
public final class Reservations {
    private static final String PATH = "/apis/scheduling.koordinator.sh/v1alpha1/reservations";
    private static final KindPath KIND = new KindPath("reservations.scheduling.koordinator.sh", "Reservation", PATH);

    private Reservations() {}

    public static DoorFeeds feeds() {
        ObjectFeed<?> reservations = new ObjectFeed<>(
                KIND, new ReservationProjection(), ReservationFact.Seen::new, ReservationFact.Gone::new);
        return new DoorFeeds(List.of(reservations), List.of());
    }

    public static void addForms(ObjectForms forms) {
        forms.with(ReservationWrite.Say.class, Reservations::say)
                .with(ReservationWrite.Remove.class, Reservations::remove);
    }

    /** The version is a precondition: what was decided on something else is not written. */
    static ObjectRequest say(ReservationWrite.Say write) {
        Status status = write.status();
        Tree patch = Tree.EMPTY
                .with(write.uid(), "metadata", "uid")
                .with(write.version(), "metadata", "resourceVersion")
                .with(status.phase().word(), "status", "phase")
                .with(status.conditions().stream().map(Reservations::condition).toList(), "status", "conditions");
        if (!status.nodeName().isEmpty()) {
            patch = patch.with(status.nodeName(), "status", "nodeName")
                    .with(quantities(status.allocatable()), "status", "allocatable");
        }
        if (status.allocated().size() > 0) {
            patch = patch.with(quantities(status.allocated()), "status", "allocated")
                    .with(
                            status.currentOwners().stream()
                                    .map(Reservations::owner)
                                    .toList(),
                            "status",
                            "currentOwners");
        }
        return ObjectRequest.merge("%s/%s/status".formatted(PATH, write.name()), patch);
    }

    static ObjectRequest remove(ReservationWrite.Remove write) {
        return ObjectRequest.delete("%s/%s".formatted(PATH, write.name()), write.uid());
    }

    private static Map<String, Object> condition(Condition condition) {
        Map<String, Object> words = new LinkedHashMap<>();
        words.put("type", condition.type().word());
        words.put("status", condition.holds() ? "True" : "False");
        words.put("reason", condition.reason());
        if (!condition.message().isEmpty()) {
            words.put("message", condition.message());
        }
        words.put("lastProbeTime", condition.probed().truncatedTo(ChronoUnit.SECONDS));
        words.put("lastTransitionTime", condition.changed().truncatedTo(ChronoUnit.SECONDS));
        return words;
    }

    private static Map<String, Object> owner(CurrentOwner owner) {
        Map<String, Object> words = new LinkedHashMap<>();
        words.put("namespace", owner.namespace());
        words.put("name", owner.name());
        words.put("uid", owner.uid());
        return words;
    }

    private static Map<String, Object> quantities(Resources amounts) {
        Map<String, Object> quantities = new LinkedHashMap<>();
        for (int i = 0; i < amounts.size(); i++) {
            quantities.put(
                    amounts.nameAt(i).value(),
                    Quantity.of(amounts.nameAt(i), amounts.amountAt(i)).toString());
        }
        return quantities;
    }
}
