package dev.berth.app.run;

import dev.berth.app.config.Config;
import dev.berth.app.config.DoorName;
import dev.berth.core.cluster.Node;
import dev.berth.core.decision.Door;
import dev.berth.core.decision.Fact;
import dev.berth.core.door.annotation.AnnotationDoor;
import dev.berth.core.door.comeback.ComebackDoor;
import dev.berth.core.door.device.DeviceDoor;
import dev.berth.core.door.preemption.PreemptionDoor;
import dev.berth.core.door.reservation.ReservationDoor;
import dev.berth.core.door.reservation.ReservationSettings;
import dev.berth.core.door.reserve.ReserveDoor;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.placement.filter.Devices;
import dev.berth.core.placement.filter.Volumes;
import dev.berth.core.volume.binding.VolumeDoor;
import dev.berth.kubernetes.door.annotation.NodeAnnotations;
import dev.berth.kubernetes.door.comeback.Comeback;
import dev.berth.kubernetes.door.device.DeviceObjects;
import dev.berth.kubernetes.door.preemption.Preemptions;
import dev.berth.kubernetes.door.reservation.Reservations;
import dev.berth.kubernetes.door.reserve.HoldObjects;
import dev.berth.kubernetes.effects.ObjectForms;
import dev.berth.kubernetes.feed.DoorFeeds;
import dev.berth.kubernetes.feed.ObjectFeed;
import dev.berth.kubernetes.volume.VolumeObjects;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The doors that are open: what each decides by, what it reads and how it writes. */
final class Doors {
    private static final Logger LOG = LoggerFactory.getLogger(Doors.class);

    private final List<Opened> opened;
    private final Devices devices;
    private final Volumes volumes;
    private final PreemptionDoor preemption;

    private Doors(List<Opened> opened, Devices devices, Volumes volumes, PreemptionDoor preemption) {
        this.opened = List.copyOf(opened);
        this.preemption = preemption;
        this.devices = devices;
        this.volumes = volumes;
    }

    /**
     * A door and its two ways to the API server.
     *
     * @param forms adds the forms of what it writes
     */
    record Opened(Door door, DoorFeeds feeds, Consumer<ObjectForms> forms) {}

    /**
     * Each door anew: doors keep books, and two Berths of one process must not share them. That of volumes is always open:
     * pods mount them, whichever way room is kept.
     */
    static Doors open(Config config, LedgerView ledger) {
        Set<DoorName> open = config.doors().open();
        DeviceDoor devices = new DeviceDoor(ledger);
        List<Opened> opened = new ArrayList<>();
        PreemptionDoor preemption = new PreemptionDoor(config.profiles());
        opened.add(new Opened(preemption, Preemptions.feeds(), Preemptions::addForms));
        for (DoorName name : open) {
            opened.add(
                    switch (name) {
                        case RESERVATION -> reservation(config);
                        case RETURN -> comeback(config);
                        case NODE_ANNOTATION -> annotation();
                        case RESERVE -> reserve(config);
                        case DEVICES -> devices(devices);
                    });
        }
        VolumeDoor volumes = new VolumeDoor(ledger, config.profiles(), preemption.nominatedNodes());
        opened.add(new Opened(volumes, VolumeObjects.feeds(), VolumeObjects::addForms));
        return new Doors(
                opened,
                open.contains(DoorName.DEVICES) ? devices.devices() : DeviceDoor.shut(),
                volumes.volumes(),
                preemption);
    }

    private static Opened annotation() {
        return new Opened(new AnnotationDoor(), new DoorFeeds(List.of(), List.of(NodeAnnotations::read)), forms -> {});
    }

    private static Opened comeback(Config config) {
        return new Opened(new ComebackDoor(config.doors().returnTtl()), Comeback.feeds(), Comeback::addForms);
    }

    private static Opened devices(DeviceDoor door) {
        return new Opened(door, DeviceObjects.feeds(), DeviceObjects::addForms);
    }

    /** What placement asks the doors about named devices. */
    Devices devices() {
        return devices;
    }

    /** What placement asks about volumes. */
    Volumes volumes() {
        return volumes;
    }

    private static Opened reserve(Config config) {
        return new Opened(
                new ReserveDoor(config.doors().reserveApi().terms(), Doors::logExpired),
                new DoorFeeds(List.of(HoldObjects.feed()), List.of()),
                HoldObjects::addForms);
    }

    /** Callers of the Reserve API wrote the names: they write no lines of their own into the log. */
    private static void logExpired(String words) {
        LOG.atInfo().addKeyValue("door", Origin.Door.RESERVE.word()).log("{}", words.replaceAll("\\p{Cntrl}", " "));
    }

    private static Opened reservation(Config config) {
        ReservationSettings settings = ReservationSettings.of(config.schedulerNames());
        return new Opened(new ReservationDoor(settings), Reservations.feeds(), Reservations::addForms);
    }

    /** What preemption did so far: to be asked by the thread that decides. */
    PreemptionDoor.Toll toll() {
        return preemption.toll();
    }

    List<Door> all() {
        return opened.stream().map(Opened::door).toList();
    }

    DoorFeeds feeds() {
        List<ObjectFeed<?>> objects = new ArrayList<>();
        List<Function<Node, Fact>> onNodes = new ArrayList<>();
        opened.forEach(door -> {
            objects.addAll(door.feeds().objects());
            onNodes.addAll(door.feeds().onNodes());
        });
        return new DoorFeeds(objects, onNodes);
    }

    ObjectForms forms() {
        ObjectForms forms = new ObjectForms();
        opened.forEach(door -> door.forms().accept(forms));
        return forms;
    }
}
