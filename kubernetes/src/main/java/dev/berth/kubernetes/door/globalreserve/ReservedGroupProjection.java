package dev.berth.kubernetes.door.globalreserve;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.globalreserve.ReservedPlace;
import dev.berth.core.door.globalreserve.StoredHoldFact;
import dev.berth.core.door.globalreserve.StoredHoldSpec;
import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import dev.berth.kubernetes.interning.QuantityCache;
import dev.berth.kubernetes.projection.Projection;
import dev.berth.kubernetes.projection.ReadResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads StoredHold objects. A malformed one is reported by a fact of its own. */
final class ReservedGroupProjection implements Projection<StoredHoldFact> {
    private static final FieldNames OBJECT =
            FieldNames.none().with(1, "metadata").with(2, "spec");
    private static final FieldNames META =
            FieldNames.none().with(1, "name").with(2, "uid").with(3, "resourceVersion");
    private static final FieldNames SPEC = FieldNames.none()
            .with(1, "schedulerName")
            .with(2, "requestedAt")
            .with(3, "expiresAt")
            .with(4, "holds");
    private static final FieldNames PLACE = FieldNames.none()
            .with(1, "podRef")
            .with(2, "nodeRef")
            .withMap(3, "resources")
            .with(4, "hostPorts");
    private static final FieldNames NAMED =
            FieldNames.none().with(1, "uid").with(2, "namespace").with(3, "name");
    private static final FieldNames PORT =
            FieldNames.none().with(1, "protocol").with(2, "hostIP").with(3, "hostPort");

    private final QuantityCache quantityCache = new QuantityCache();
    private String name = "";
    private String uid = "";
    private String version = "";
    private String schedulerName = "";
    private Instant requestedAt = Instant.EPOCH;
    private Optional<Instant> deadline = Optional.empty();
    private final List<ReservedPlace> places = new ArrayList<>();

    private record ObjectIdentity(String uid, String namespace, String name) {}

    @Override
    public ReadResult<StoredHoldFact> read(Cursor in) {
        clear();
        try {
            for (int field = in.nextField(OBJECT); field != 0; field = in.nextField(OBJECT)) {
                switch (field) {
                    case 1 -> readMetadata(in);
                    case 2 -> readSpec(in);
                    default -> in.skip();
                }
            }
            return readable(new StoredHoldFact.Upserted(name, uid, buildSpec()));
        } catch (MalformedObjectException | IllegalArgumentException | ArithmeticException malformed) {
            if (uid.isEmpty() || name.isEmpty()) {
                return new ReadResult<>(
                        uid, version, Optional.empty(), "storedhold (%s): %s".formatted(name, malformed.getMessage()));
            }
            return readable(new StoredHoldFact.Malformed(name, uid, String.valueOf(malformed.getMessage())));
        }
    }

    private ReadResult<StoredHoldFact> readable(StoredHoldFact fact) {
        return new ReadResult<>(uid, version, Optional.of(fact), "");
    }

    private void clear() {
        name = "";
        uid = "";
        version = "";
        schedulerName = "";
        requestedAt = Instant.EPOCH;
        deadline = Optional.empty();
        places.clear();
    }

    private StoredHoldSpec buildSpec() {
        if (places.isEmpty()) {
            throw new MalformedObjectException("spec.holds is empty: name at least one");
        }
        return new StoredHoldSpec(
                schedulerName,
                requestedAt,
                deadline.orElseThrow(
                        () -> new MalformedObjectException("spec.expiresAt is missing: it says when the holds expire")),
                places);
    }

    private void readMetadata(Cursor in) {
        in.enter();
        for (int field = in.nextField(META); field != 0; field = in.nextField(META)) {
            switch (field) {
                case 1 -> name = in.uninternedText();
                case 2 -> uid = in.uninternedText();
                case 3 -> version = in.uninternedText();
                default -> in.skip();
            }
        }
        in.leave();
    }

    private void readSpec(Cursor in) {
        in.enter();
        for (int field = in.nextField(SPEC); field != 0; field = in.nextField(SPEC)) {
            switch (field) {
                case 1 -> schedulerName = in.text();
                case 2 -> requestedAt = Instant.ofEpochMilli(in.epochMillis());
                case 3 -> deadline = Optional.of(Instant.ofEpochMilli(in.epochMillis()));
                case 4 -> places.add(readPlace(in));
                default -> in.skip();
            }
        }
        in.leave();
    }

    private ReservedPlace readPlace(Cursor in) {
        ObjectIdentity pod = new ObjectIdentity("", "", "");
        ObjectIdentity node = pod;
        Map<ResourceName, Quantity> size = new HashMap<>();
        List<HostPort> ports = new ArrayList<>();
        in.enter();
        for (int field = in.nextField(PLACE); field != 0; field = in.nextField(PLACE)) {
            switch (field) {
                case 1 -> pod = readIdentity(in);
                case 2 -> node = readIdentity(in);
                case 3 -> quantityCache.readEntry(in, size);
                case 4 -> ports.add(readPort(in));
                default -> in.skip();
            }
        }
        in.leave();
        return new ReservedPlace(
                new ReservedPlace.PodIdentity(new PodUid(pod.uid), pod.namespace, pod.name),
                new ReservedPlace.NodeIdentity(new NodeUid(node.uid), node.name),
                requireNotNegative(Resources.ofQuantities(size)),
                ports);
    }

    private static Resources requireNotNegative(Resources size) {
        for (int i = 0; i < size.size(); i++) {
            if (size.amountAt(i) < 0) {
                throw new MalformedObjectException(
                        "resources.%s (%d) is negative".formatted(size.nameAt(i), size.amountAt(i)));
            }
        }
        return size;
    }

    private static ObjectIdentity readIdentity(Cursor in) {
        String namedUid = "";
        String namespace = "";
        String namedName = "";
        in.enter();
        for (int field = in.nextField(NAMED); field != 0; field = in.nextField(NAMED)) {
            switch (field) {
                case 1 -> namedUid = in.uninternedText();
                case 2 -> namespace = in.text();
                case 3 -> namedName = in.uninternedText();
                default -> in.skip();
            }
        }
        in.leave();
        return new ObjectIdentity(namedUid, namespace, namedName);
    }

    private static HostPort readPort(Cursor in) {
        String protocol = "";
        String address = "";
        long port = 0;
        in.enter();
        for (int field = in.nextField(PORT); field != 0; field = in.nextField(PORT)) {
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
