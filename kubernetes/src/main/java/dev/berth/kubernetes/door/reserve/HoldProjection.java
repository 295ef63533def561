package dev.berth.kubernetes.door.reserve;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.reserve.HoldFact;
import dev.berth.core.door.reserve.HoldSpec;
import dev.berth.core.door.reserve.Place;
import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.MalformedObject;
import dev.berth.kubernetes.projection.Projection;
import dev.berth.kubernetes.projection.Seen;
import dev.berth.kubernetes.sharing.Quantities;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads Hold objects. One that makes no sense becomes the fact that it does not. */
final class HoldProjection implements Projection<HoldFact> {
    private static final FieldNames OBJECT =
            FieldNames.none().with(1, "metadata").with(2, "spec");
    private static final FieldNames META =
            FieldNames.none().with(1, "name").with(2, "uid").with(3, "resourceVersion");
    private static final FieldNames SPEC = FieldNames.none()
            .with(1, "scheduler")
            .with(2, "made")
            .with(3, "deadline")
            .with(4, "places");
    private static final FieldNames PLACE =
            FieldNames.none().with(1, "pod").with(2, "node").withMap(3, "size").with(4, "ports");
    private static final FieldNames NAMED =
            FieldNames.none().with(1, "uid").with(2, "namespace").with(3, "name");
    private static final FieldNames PORT =
            FieldNames.none().with(1, "protocol").with(2, "address").with(3, "port");

    private final Quantities quantities = new Quantities();
    private String name = "";
    private String uid = "";
    private String version = "";
    private String scheduler = "";
    private Instant made = Instant.EPOCH;
    private Optional<Instant> deadline = Optional.empty();
    private final List<Place> places = new ArrayList<>();

    private record Named(String uid, String namespace, String name) {}

    @Override
    public Seen<HoldFact> read(Cursor in) {
        clear();
        try {
            for (int field = in.next(OBJECT); field != 0; field = in.next(OBJECT)) {
                switch (field) {
                    case 1 -> metadata(in);
                    case 2 -> spec(in);
                    default -> in.skip();
                }
            }
            return seen(new HoldFact.Seen(name, uid, spec()));
        } catch (MalformedObject | IllegalArgumentException | ArithmeticException malformed) {
            if (uid.isEmpty() || name.isEmpty()) {
                return new Seen<>(
                        uid, version, Optional.empty(), "hold (%s): %s".formatted(name, malformed.getMessage()));
            }
            return seen(new HoldFact.Malformed(name, uid, String.valueOf(malformed.getMessage())));
        }
    }

    private Seen<HoldFact> seen(HoldFact fact) {
        return new Seen<>(uid, version, Optional.of(fact), "");
    }

    private void clear() {
        name = "";
        uid = "";
        version = "";
        scheduler = "";
        made = Instant.EPOCH;
        deadline = Optional.empty();
        places.clear();
    }

    private HoldSpec spec() {
        if (places.isEmpty()) {
            throw new MalformedObject("spec.places is empty: name at least one");
        }
        return new HoldSpec(
                scheduler,
                made,
                deadline.orElseThrow(() -> new MalformedObject("spec.deadline is missing: every place has an end")),
                places);
    }

    private void metadata(Cursor in) {
        in.enter();
        for (int field = in.next(META); field != 0; field = in.next(META)) {
            switch (field) {
                case 1 -> name = in.ownText();
                case 2 -> uid = in.ownText();
                case 3 -> version = in.ownText();
                default -> in.skip();
            }
        }
        in.leave();
    }

    private void spec(Cursor in) {
        in.enter();
        for (int field = in.next(SPEC); field != 0; field = in.next(SPEC)) {
            switch (field) {
                case 1 -> scheduler = in.text();
                case 2 -> made = Instant.ofEpochMilli(in.millis());
                case 3 -> deadline = Optional.of(Instant.ofEpochMilli(in.millis()));
                case 4 -> places.add(place(in));
                default -> in.skip();
            }
        }
        in.leave();
    }

    private Place place(Cursor in) {
        Named pod = new Named("", "", "");
        Named node = pod;
        Map<ResourceName, Quantity> size = new HashMap<>();
        List<HostPort> ports = new ArrayList<>();
        in.enter();
        for (int field = in.next(PLACE); field != 0; field = in.next(PLACE)) {
            switch (field) {
                case 1 -> pod = named(in);
                case 2 -> node = named(in);
                case 3 -> quantities.read(in, size);
                case 4 -> ports.add(port(in));
                default -> in.skip();
            }
        }
        in.leave();
        return new Place(
                new Place.Guest(new PodUid(pod.uid), pod.namespace, pod.name),
                new Place.Host(new NodeUid(node.uid), node.name),
                positive(Resources.ofQuantities(size)),
                ports);
    }

    private static Resources positive(Resources size) {
        for (int i = 0; i < size.size(); i++) {
            if (size.amountAt(i) < 0) {
                throw new MalformedObject("size.%s (%d) is negative".formatted(size.nameAt(i), size.amountAt(i)));
            }
        }
        return size;
    }

    private static Named named(Cursor in) {
        String itsUid = "";
        String namespace = "";
        String itsName = "";
        in.enter();
        for (int field = in.next(NAMED); field != 0; field = in.next(NAMED)) {
            switch (field) {
                case 1 -> itsUid = in.ownText();
                case 2 -> namespace = in.text();
                case 3 -> itsName = in.ownText();
                default -> in.skip();
            }
        }
        in.leave();
        return new Named(itsUid, namespace, itsName);
    }

    private static HostPort port(Cursor in) {
        String protocol = "";
        String address = "";
        long port = 0;
        in.enter();
        for (int field = in.next(PORT); field != 0; field = in.next(PORT)) {
            switch (field) {
                case 1 -> protocol = in.text();
                case 2 -> address = in.text();
                case 3 -> port = in.number();
                default -> in.skip();
            }
        }
        in.leave();
        return new HostPort(protocol, address, Math.toIntExact(port));
    }
}
