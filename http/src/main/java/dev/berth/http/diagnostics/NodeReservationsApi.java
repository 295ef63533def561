package dev.berth.http.diagnostics;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.ledger.Snapshot;
import dev.berth.http.Router;
import dev.berth.http.ServerResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Koordinator's debug API: the reservations of one node as the ledger knows them. It reads a snapshot and changes
 * nothing.
 */
public final class NodeReservationsApi {
    private static final String PLUGIN = "/apis/v1/plugins/Reservation/";
    private static final JsonFactory JSON = new JsonFactory();
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;

    private final Supplier<Snapshot> ledger;

    public NodeReservationsApi(Supplier<Snapshot> ledger) {
        this.ledger = ledger;
    }

    /** Writes the body of a response. */
    @FunctionalInterface
    private interface BodyWriter {
        void write(JsonGenerator out) throws IOException;
    }

    public Router registerOn(Router router) {
        return router.getUnder(PLUGIN + "nodeReservations/", node -> request -> reservationsOf(node))
                .get(
                        PLUGIN + "reservationSelectorIndex",
                        request -> json(OK, out -> {
                            // Berth finds reservations by their owners. There are no keys to configure.
                            out.writeStartObject();
                            out.writeBooleanField("enabled", false);
                            out.writeEndObject();
                        }));
    }

    private ServerResponse reservationsOf(String nodeName) {
        Snapshot now = ledger.get();
        Optional<NodeState> node = now.node(nodeName);
        if (node.isEmpty()) {
            return json(NOT_FOUND, out -> {
                out.writeStartObject();
                out.writeStringField(
                        "error",
                        "node (%s) is not known to this Berth. Only the leader knows nodes".formatted(nodeName));
                out.writeEndObject();
            });
        }
        return json(OK, out -> {
            out.writeStartObject();
            out.writeArrayFieldStart("items");
            for (HoldId id : node.get().holds()) {
                Optional<HoldState> hold =
                        now.holdState(id).filter(state -> state.hold().isReservation());
                if (hold.isPresent()) {
                    new ReservationJson(out, now).write(hold.get());
                }
            }
            out.writeEndArray();
            out.writeEndObject();
        });
    }

    private static ServerResponse json(int status, BodyWriter body) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = JSON.createGenerator(bytes)) {
            body.write(out);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return ServerResponse.json(status, bytes.toByteArray());
    }
}
