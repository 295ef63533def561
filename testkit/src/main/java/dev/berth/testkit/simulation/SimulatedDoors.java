package dev.berth.testkit.simulation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.core.cluster.Node;
import dev.berth.core.door.Door;
import dev.berth.core.door.devices.DeviceDoor;
import dev.berth.core.door.globalreserve.GlobalReserveDoor;
import dev.berth.core.door.globalreserve.GlobalReserveSettings;
import dev.berth.core.door.godel.GodelDoor;
import dev.berth.core.door.koordinator.KoordinatorDoor;
import dev.berth.core.door.koordinator.KoordinatorSettings;
import dev.berth.core.door.koordinator.settings.ReservationSettings;
import dev.berth.core.door.nodeannotation.NodeAnnotationDoor;
import dev.berth.core.fact.Fact;
import dev.berth.core.framework.Plugin;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.nomination.NominatedNodeWriter;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.Profiles;
import dev.berth.core.preemption.DefaultPreemption;
import dev.berth.core.volumebinding.prebind.VolumeBinding;
import dev.berth.kubernetes.crd.CrdManifest;
import dev.berth.kubernetes.door.devices.DevicesApi;
import dev.berth.kubernetes.door.globalreserve.GlobalReserveApi;
import dev.berth.kubernetes.door.godel.GodelApi;
import dev.berth.kubernetes.door.koordinator.KoordinatorApi;
import dev.berth.kubernetes.door.nodeannotation.NodeAnnotationParser;
import dev.berth.kubernetes.effects.WriteEncoders;
import dev.berth.kubernetes.informer.ComponentInformers;
import dev.berth.kubernetes.informer.WatchedResource;
import dev.berth.kubernetes.nomination.NominatedNodeApi;
import dev.berth.kubernetes.preemption.PreemptionApi;
import dev.berth.kubernetes.volumebinding.VolumeBindingApi;
import dev.berth.sandbox.client.DynamicClient;
import dev.berth.sandbox.client.RestMapping;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** All doors and plugins of Berth on one ledger, with their reads and writes. */
final class SimulatedDoors {
    static final Set<String> SCHEDULER_NAMES = Set.of("default-scheduler", "berth-scheduler");
    /** The default TTL of return holds. */
    private static final ReservationSettings RESERVATION_SETTINGS =
            ReservationSettings.DEFAULT.withPreemptionEnabled(true);

    static final Duration GODEL_RESERVATION_TTL = Duration.ofMinutes(1);

    private final Ledger ledger;
    private final Set<String> schedulerNames;
    private final NominatedNodeWriter nominatedNodes = new NominatedNodeWriter();
    private final DefaultPreemption preemption;
    private final VolumeBinding volumes;
    private final DeviceDoor devices;

    SimulatedDoors(Ledger ledger, Set<String> schedulerNames) {
        this.ledger = ledger;
        this.schedulerNames = schedulerNames;
        Profiles profiles = Profiles.forSchedulers(schedulerNames, Profile.DEFAULT);
        this.preemption = new DefaultPreemption(profiles, nominatedNodes);
        this.volumes = new VolumeBinding(ledger, profiles, nominatedNodes);
        this.devices = new DeviceDoor(ledger);
    }

    List<Door> all() {
        return List.of(
                devices,
                new KoordinatorDoor(new KoordinatorSettings(schedulerNames, RESERVATION_SETTINGS)),
                new GodelDoor(GODEL_RESERVATION_TTL),
                new NodeAnnotationDoor(),
                new GlobalReserveDoor(GlobalReserveSettings.DEFAULT));
    }

    List<Plugin> plugins() {
        return List.of(volumes, nominatedNodes, preemption);
    }

    Placer placer() {
        return new Placer(ledger, Profiles.DEFAULT, List.of(volumes, devices));
    }

    static ComponentInformers informers() {
        List<WatchedResource<?>> objects = new ArrayList<>();
        for (ComponentInformers door : List.of(
                VolumeBindingApi.informers(),
                PreemptionApi.informers(),
                DevicesApi.informers(),
                KoordinatorApi.informers(),
                GodelApi.informers())) {
            objects.addAll(door.resources());
        }
        objects.add(GlobalReserveApi.storedHolds());
        List<Function<Node, Fact>> onNodes = List.of(NodeAnnotationParser::parse);
        return new ComponentInformers(objects, onNodes);
    }

    static WriteEncoders writeEncoders() {
        WriteEncoders encoders = new WriteEncoders();
        VolumeBindingApi.addEncoders(encoders);
        NominatedNodeApi.addEncoders(encoders);
        PreemptionApi.addEncoders(encoders);
        DevicesApi.addEncoders(encoders);
        KoordinatorApi.addEncoders(encoders);
        GodelApi.addEncoders(encoders);
        GlobalReserveApi.addEncoders(encoders);
        return encoders;
    }

    /** Installs the CRDs of the doors on the API server. */
    static void install(DynamicClient client) {
        for (CrdManifest crdManifest : CrdManifest.values()) {
            client.create(RestMapping.CUSTOM_RESOURCE_DEFINITIONS, parsed(crdManifest));
        }
    }

    private static ObjectNode parsed(CrdManifest crdManifest) {
        try {
            return (ObjectNode) new YAMLMapper().readTree(crdManifest.yaml());
        } catch (JsonProcessingException malformed) {
            throw new IllegalStateException("definition (%s) is malformed".formatted(crdManifest.crdName()), malformed);
        }
    }
}
