package dev.berth.kubernetes.door.godel;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.Workload;
import dev.berth.core.door.godel.GodelFact;
import dev.berth.core.door.godel.GodelReservation;
import dev.berth.core.door.godel.GodelWrite;
import dev.berth.core.door.godel.GodelWrite.Successor;
import dev.berth.core.door.godel.ReservationRequest;
import dev.berth.core.hold.Draw;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.kubernetes.effects.WriteEncoders;
import dev.berth.kubernetes.effects.WriteRequest;
import dev.berth.kubernetes.informer.ComponentInformers;
import dev.berth.kubernetes.informer.WatchedResource;
import dev.berth.kubernetes.json.JsonObject;
import dev.berth.kubernetes.watch.ApiResource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the objects of the Gödel door, and writes them. */
public final class GodelApi {
    private static final String GROUP_PATH = "/apis/" + GodelReservation.API_VERSION;
    private static final ApiResource RESERVATIONS = new ApiResource(
            "reservations." + GodelReservation.API_GROUP, GodelReservation.KIND, GROUP_PATH + "/reservations");
    private static final ApiResource DEPLOYMENTS =
            new ApiResource("deployments", "Deployment", "/apis/apps/v1/deployments");

    private GodelApi() {}

    public static ComponentInformers informers() {
        WatchedResource<?> reservations = new WatchedResource<>(
                RESERVATIONS,
                new GodelReservationProjection(),
                GodelFact.ReservationUpserted::new,
                GodelFact.ReservationDeleted::new);
        List<WatchedResource<?>> objects = List.of(
                reservations,
                reservationRequests(DEPLOYMENTS, ReservationRequest.RequesterKind.DEPLOYMENT),
                reservationRequests(
                        ApiResource.forWorkload(Workload.Kind.STATEFUL_SET),
                        ReservationRequest.RequesterKind.STATEFUL_SET),
                CheckpointApi.checkpoints());
        return new ComponentInformers(objects, List.of());
    }

    private static WatchedResource<?> reservationRequests(ApiResource path, ReservationRequest.RequesterKind kind) {
        return new WatchedResource<>(
                path,
                new ReservationRequestProjection(kind),
                GodelFact.RequestUpserted::new,
                GodelFact.RequestDeleted::new);
    }

    public static void addEncoders(WriteEncoders encoders) {
        encoders.register(GodelWrite.CreateReservation.class, GodelApi::create)
                .register(GodelWrite.MarkMatched.class, GodelApi::markMatched)
                .register(GodelWrite.DeleteReservation.class, GodelApi::delete);
        CheckpointApi.addEncoders(encoders);
    }

    static WriteRequest create(GodelWrite.CreateReservation createReservation) {
        GodelWrite.CreateReservation.ReservedPodTemplate template = createReservation.template();
        JsonObject object = JsonObject.EMPTY
                .with(GodelReservation.API_VERSION, "apiVersion")
                .with(GodelReservation.KIND, "kind")
                .with(createReservation.namespace(), "metadata", "namespace")
                .with(createReservation.name(), "metadata", "name")
                .with(createReservation.annotations(), "metadata", "annotations")
                .with(createReservation.nodeName(), "spec", "nodename")
                .with(createReservation.ttl().toSeconds(), "spec", "ttl")
                .with(template.schedulerName(), "spec", "template", "spec", "schedulerName")
                .with(template.priority(), "spec", "template", "spec", "priority")
                .with(List.of(container(template)), "spec", "template", "spec", "containers");
        return WriteRequest.create(
                path(createReservation),
                createReservation
                        .draw()
                        .map(draw -> withSuccessorTemplate(draw, object))
                        .orElse(object));
    }

    /** The successor as owner rules match it: a restarted Berth needs it to decide whether the hold admits the draw. */
    private static JsonObject withSuccessorTemplate(Draw draw, JsonObject object) {
        Pod successor = draw.owner();
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("labels", successor.labels().toMap());
        if (!successor.name().isEmpty()) {
            metadata.put("name", successor.name());
        }
        successor
                .controller()
                .ifPresent(owner -> metadata.put(
                        "ownerReferences",
                        List.of(Map.of(
                                "apiVersion", owner.apiVersion(),
                                "kind", owner.kind(),
                                "name", owner.name(),
                                "uid", owner.uid(),
                                "controller", true))));
        return object.with(metadata, "spec", "template", "metadata")
                .with(
                        TolerationCodec.encode(successor.spec().tolerations()),
                        "spec",
                        "template",
                        "spec",
                        "tolerations");
    }

    /** One container with everything that the pod used, including its overhead. */
    private static Map<String, Object> container(GodelWrite.CreateReservation.ReservedPodTemplate template) {
        Map<String, Object> container = new LinkedHashMap<>();
        container.put("name", "placeholder");
        container.put("resources", Map.of("requests", quantities(template.requests())));
        if (!template.hostPorts().isEmpty()) {
            container.put(
                    "ports", template.hostPorts().stream().map(GodelApi::port).toList());
        }
        return container;
    }

    /** Unlike {@link Resources#toQuantities}, in milli-CPUs and bytes: these objects are Gödel's, and their text is kept. */
    private static Map<String, Object> quantities(Resources requests) {
        Map<String, Object> quantities = new LinkedHashMap<>();
        for (int i = 0; i < requests.size(); i++) {
            ResourceName name = requests.nameAt(i);
            String unit = name.equals(ResourceName.CPU) ? "m" : "";
            quantities.put(name.toString(), requests.amountAt(i) + unit);
        }
        return quantities;
    }

    private static Map<String, Object> port(HostPort port) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("containerPort", port.port());
        fields.put("hostPort", port.port());
        fields.put("protocol", port.protocol());
        if (!port.address().equals(HostPort.ANY_ADDRESS)) {
            fields.put("hostIP", port.address());
        }
        return fields;
    }

    static WriteRequest markMatched(GodelWrite.MarkMatched markMatched) {
        Successor successor = markMatched.successor();
        JsonObject patch = JsonObject.EMPTY
                .with(markMatched.uid(), "metadata", "uid")
                .with("Matched", "status", "phase")
                .with(successor.name(), "status", "currentOwners", "name")
                .with(successor.namespace(), "status", "currentOwners", "namespace")
                .with(successor.uid().value(), "status", "currentOwners", "uid");
        return WriteRequest.mergePatch(path(markMatched) + "/" + markMatched.name() + "/status", patch);
    }

    static WriteRequest delete(GodelWrite.DeleteReservation deleteReservation) {
        return WriteRequest.delete(path(deleteReservation) + "/" + deleteReservation.name(), deleteReservation.uid());
    }

    private static String path(GodelWrite write) {
        return "%s/namespaces/%s/reservations".formatted(GROUP_PATH, write.namespace());
    }
}
