package dev.berth.http.diagnostics;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.hold.AllocatePolicy;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.Owner;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.ledger.Snapshot;
import dev.berth.core.resource.Resources;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** Writes the hold of a reservation with the names of Koordinator's debug API. */
final class ReservationJson {
    private static final String KIND = "Reservation";

    private final JsonGenerator out;
    private final Snapshot ledger;

    ReservationJson(JsonGenerator out, Snapshot ledger) {
        this.out = out;
        this.ledger = ledger;
    }

    void write(HoldState state) throws IOException {
        Hold hold = state.hold();
        out.writeStartObject();
        out.writeStringField("name", hold.origin().displayName().replaceFirst("^" + KIND + " ", ""));
        out.writeStringField(
                "uid", hold.id().value().substring(hold.id().value().indexOf('/') + 1));
        out.writeStringField("kind", KIND);
        out.writeBooleanField("available", !hold.isClosed() && state.claimable());
        out.writeBooleanField("allocateOnce", hold.allocateOnce());
        write("allocatable", hold.size());
        write("reserved", hold.innerReserved());
        Resources allocated = ledger.requestedOf(state);
        write("allocated", allocated);
        writePorts(hold);
        write(
                "availableResource",
                hold.size().minus(hold.innerReserved()).minus(allocated).atLeastZero());
        out.writeArrayFieldStart("owners");
        for (Owner owner : hold.owners()) {
            write(owner);
        }
        out.writeEndArray();
        out.writeStringField(
                "allocatePolicy", hold.policy() instanceof AllocatePolicy.Restricted ? "Restricted" : "Aligned");
        writePods(state);
        out.writeEndObject();
    }

    private void write(String field, Resources resources) throws IOException {
        out.writeObjectFieldStart(field);
        for (Map.Entry<String, String> amount : resources.toQuantities().entrySet()) {
            out.writeStringField(amount.getKey(), amount.getValue());
        }
        out.writeEndObject();
    }

    private void writePorts(Hold hold) throws IOException {
        out.writeArrayFieldStart("ports");
        for (HostPort port : hold.ports()) {
            out.writeStartObject();
            out.writeStringField("protocol", port.protocol());
            out.writeStringField("hostIP", port.address());
            out.writeNumberField("hostPort", port.port());
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private void write(Owner owner) throws IOException {
        out.writeStartObject();
        if (owner.pod().isPresent()) {
            Owner.PodMatch pod = owner.pod().get();
            out.writeObjectFieldStart("object");
            write("namespace", pod.namespace());
            write("name", pod.name());
            write("uid", pod.uid());
            out.writeEndObject();
        }
        if (owner.controller().isPresent()) {
            Owner.ControllerMatch controller = owner.controller().get();
            out.writeObjectFieldStart("controller");
            write("apiVersion", controller.apiVersion());
            write("kind", controller.kind());
            write("namespace", controller.namespace());
            write("name", controller.name());
            write("uid", controller.uid());
            if (controller.controls().isPresent()) {
                out.writeBooleanField("controller", controller.controls().get());
            }
            out.writeEndObject();
        }
        if (owner.labels().isPresent()) {
            write(owner.labels().get());
        }
        out.writeEndObject();
    }

    private void write(LabelSelector selector) throws IOException {
        out.writeObjectFieldStart("labelSelector");
        out.writeObjectFieldStart("matchLabels");
        for (Map.Entry<String, String> label : selector.matchLabels().toMap().entrySet()) {
            out.writeStringField(label.getKey(), label.getValue());
        }
        out.writeEndObject();
        out.writeArrayFieldStart("matchExpressions");
        for (Requirement requirement : selector.matchExpressions()) {
            out.writeStartObject();
            out.writeStringField("key", requirement.key());
            out.writeStringField("operator", requirement.operator().apiName());
            out.writeArrayFieldStart("values");
            for (String value : requirement.values()) {
                out.writeString(value);
            }
            out.writeEndArray();
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    private void write(String field, Optional<String> value) throws IOException {
        if (value.isPresent()) {
            out.writeStringField(field, value.get());
        }
    }

    /** The pods that use it, and the running pods that it takes over. */
    private void writePods(HoldState state) throws IOException {
        out.writeArrayFieldStart("assignedPods");
        for (Claim claim : state.claims()) {
            writePod(claim.pod(), ledger.pod(claim.pod()));
        }
        for (Pod backer : ledger.runningBackers(state)) {
            writePod(backer.uid(), Optional.of(backer));
        }
        out.writeEndArray();
    }

    private void writePod(PodUid uid, Optional<Pod> pod) throws IOException {
        out.writeStartObject();
        write("namespace", pod.map(Pod::namespace));
        write("name", pod.map(Pod::name));
        out.writeStringField("uid", uid.value());
        out.writeEndObject();
    }
}
