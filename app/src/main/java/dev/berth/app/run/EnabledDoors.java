package dev.berth.app.run;

import dev.berth.app.config.Config;
import dev.berth.core.cluster.Node;
import dev.berth.core.door.Door;
import dev.berth.core.door.devices.DeviceDoor;
import dev.berth.core.door.globalreserve.GlobalReserveDoor;
import dev.berth.core.door.godel.GodelDoor;
import dev.berth.core.door.koordinator.KoordinatorDoor;
import dev.berth.core.door.koordinator.KoordinatorSettings;
import dev.berth.core.door.koordinator.Reservation;
import dev.berth.core.door.nodeannotation.NodeAnnotationDoor;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.Origin.DoorId;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.placement.filter.FilterPlugin;
import dev.berth.kubernetes.door.devices.DevicesApi;
import dev.berth.kubernetes.door.globalreserve.GlobalReserveApi;
import dev.berth.kubernetes.door.godel.GodelApi;
import dev.berth.kubernetes.door.koordinator.KoordinatorApi;
import dev.berth.kubernetes.door.nodeannotation.NodeAnnotationParser;
import dev.berth.kubernetes.effects.WriteEncoders;
import dev.berth.kubernetes.informer.ComponentInformers;
import dev.berth.kubernetes.informer.WatchedResource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The enabled doors: their logic, what they read and how they write. */
final class EnabledDoors {
    private static final Logger LOG = LoggerFactory.getLogger(EnabledDoors.class);

    private final List<DoorWiring> wirings;

    private EnabledDoors(List<DoorWiring> wirings) {
        this.wirings = List.copyOf(wirings);
    }

    /**
     * A door with its reads and writes.
     *
     * @param addWriteEncoders adds the encoders of its writes
     */
    record DoorWiring(Door door, ComponentInformers informers, Consumer<WriteEncoders> addWriteEncoders) {}

    /** Creates new doors: they have state, and two engines of one process must not share it. */
    static EnabledDoors create(Config config, LedgerView ledger) {
        List<DoorWiring> wirings = new ArrayList<>();
        for (DoorId name : config.doors().enabled()) {
            wirings.add(
                    switch (name) {
                        case KOORDINATOR -> koordinator(config);
                        case GODEL -> godel(config);
                        case NODE_ANNOTATION -> nodeAnnotation();
                        case GLOBALRESERVE -> globalReserve(config);
                        case DEVICES -> devices(ledger);
                    });
        }
        return new EnabledDoors(wirings);
    }

    private static DoorWiring nodeAnnotation() {
        return new DoorWiring(
                new NodeAnnotationDoor(),
                new ComponentInformers(List.of(), List.of(NodeAnnotationParser::parse)),
                encoders -> {});
    }

    private static DoorWiring godel(Config config) {
        return new DoorWiring(
                new GodelDoor(config.doors().godelReservationTtl()), GodelApi.informers(), GodelApi::addEncoders);
    }

    private static DoorWiring devices(LedgerView ledger) {
        return new DoorWiring(new DeviceDoor(ledger), DevicesApi.informers(), DevicesApi::addEncoders);
    }

    private static DoorWiring globalReserve(Config config) {
        return new DoorWiring(
                new GlobalReserveDoor(config.doors().globalReserveApi().doorSettings(), EnabledDoors::logExpired),
                new ComponentInformers(List.of(GlobalReserveApi.storedHolds()), List.of()),
                GlobalReserveApi::addEncoders);
    }

    /** Callers of the Reserve API choose the names: they must not be able to forge lines of the log. */
    private static void logExpired(String message) {
        LOG.atInfo().addKeyValue("door", DoorId.GLOBALRESERVE.text()).log("{}", message.replaceAll("\\p{Cntrl}", " "));
    }

    private static DoorWiring koordinator(Config config) {
        KoordinatorSettings settings = new KoordinatorSettings(
                config.schedulerNames(), config.yieldedNames(), config.doors().reservations());
        return new DoorWiring(new KoordinatorDoor(settings), KoordinatorApi.informers(), KoordinatorApi::addEncoders);
    }

    List<Door> all() {
        return wirings.stream().map(DoorWiring::door).toList();
    }

    /** The Koordinator Reservations; none if the door is disabled. Call this on the loop's thread. */
    List<Reservation> reservations() {
        return all().stream()
                .filter(KoordinatorDoor.class::isInstance)
                .flatMap(door -> ((KoordinatorDoor) door).reservations().stream())
                .toList();
    }

    /** The doors that filter nodes. If the door devices is disabled, pods that claim devices wait. */
    List<FilterPlugin> filterPlugins() {
        List<FilterPlugin> plugins = new ArrayList<>();
        all().forEach(door -> {
            if (door instanceof FilterPlugin plugin) {
                plugins.add(plugin);
            }
        });
        if (plugins.stream().noneMatch(DeviceDoor.class::isInstance)) {
            plugins.add(DeviceDoor.disabled());
        }
        return plugins;
    }

    ComponentInformers informers() {
        List<WatchedResource<?>> objects = new ArrayList<>();
        List<Function<Node, Fact>> onNodes = new ArrayList<>();
        wirings.forEach(door -> {
            objects.addAll(door.informers().resources());
            onNodes.addAll(door.informers().nodeReaders());
        });
        return new ComponentInformers(objects, onNodes);
    }

    void addWriteEncoders(WriteEncoders encoders) {
        wirings.forEach(door -> door.addWriteEncoders().accept(encoders));
    }
}
