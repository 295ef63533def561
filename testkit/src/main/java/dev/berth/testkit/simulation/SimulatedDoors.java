package dev.berth.testkit.simulation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
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
import dev.berth.core.door.reserve.ReserveSettings;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.Profiles;
import dev.berth.core.volume.binding.VolumeDoor;
import dev.berth.embedded.client.ApiClient;
import dev.berth.embedded.client.Resource;
import dev.berth.kubernetes.crd.Definition;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Every door that Berth has, on one ledger, with what the doors read and write. */
final class SimulatedDoors {
    static final Set<String> SCHEDULER_NAMES = Set.of("default-scheduler", "berth-scheduler");
    /** How long a place is kept for a successor where the pod does not say. */
    static final Duration RETURN_TTL = Duration.ofMinutes(1);

    private final Ledger ledger;
    private final Set<String> schedulerNames;
    private final PreemptionDoor preemption;
    private final VolumeDoor volumes;
    private final DeviceDoor devices;

    SimulatedDoors(Ledger ledger, Set<String> schedulerNames) {
        this.ledger = ledger;
        this.schedulerNames = schedulerNames;
        Profiles profiles = Profiles.same(schedulerNames, Profile.DEFAULT);
        this.preemption = new PreemptionDoor(profiles);
        this.volumes = new VolumeDoor(ledger, profiles, preemption.nominatedNodes());
        this.devices = new DeviceDoor(ledger);
    }

    List<Door> all() {
        return List.of(
                volumes,
                devices,
                preemption,
                new ReservationDoor(ReservationSettings.of(schedulerNames)),
                new ComebackDoor(RETURN_TTL),
                new AnnotationDoor(),
                new ReserveDoor(ReserveSettings.DEFAULT));
    }

    Placer placer() {
        return new Placer(ledger, Profiles.DEFAULT, devices.devices(), volumes.volumes());
    }

    static DoorFeeds feeds() {
        List<ObjectFeed<?>> objects = new ArrayList<>();
        for (DoorFeeds door : List.of(
                VolumeObjects.feeds(),
                Preemptions.feeds(),
                DeviceObjects.feeds(),
                Reservations.feeds(),
                Comeback.feeds())) {
            objects.addAll(door.objects());
        }
        objects.add(HoldObjects.feed());
        List<Function<Node, Fact>> onNodes = List.of(NodeAnnotations::read);
        return new DoorFeeds(objects, onNodes);
    }

    static ObjectForms forms() {
        ObjectForms forms = new ObjectForms();
        VolumeObjects.addForms(forms);
        Preemptions.addForms(forms);
        DeviceObjects.addForms(forms);
        Reservations.addForms(forms);
        Comeback.addForms(forms);
        HoldObjects.addForms(forms);
        return forms;
    }

    /** Makes the doors' kinds known to the API server. */
    static void install(ApiClient client) {
        for (Definition definition : Definition.values()) {
            client.create(Resource.DEFINITIONS, parsed(definition));
        }
    }

    private static ObjectNode parsed(Definition definition) {
        try {
            return (ObjectNode) new YAMLMapper().readTree(definition.yaml());
        } catch (JsonProcessingException malformed) {
            throw new IllegalStateException(
                    "definition (%s) is malformed".formatted(definition.objectName()), malformed);
        }
    }
}
