package dev.berth.http.extender;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.placement.filter.Veto;
import dev.berth.http.RouteHandler;
import dev.berth.http.Router;
import dev.berth.http.ServerRequest;
import dev.berth.http.ServerResponse;
import dev.berth.http.globalreserve.PodReader;
import dev.berth.http.json.BadRequestException;
import dev.berth.http.json.BoundedJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The two paths of the extender. The status is 200 even for an error, because kube-scheduler takes any other status for a
 * broken extender. Only a malformed request is a bad request. Nodes that holds or devices block are also reported as
 * unresolvable, so that kube-scheduler does not preempt pods there without effect.
 */
public final class ExtenderEndpoints {
    private static final Logger LOG = LoggerFactory.getLogger(ExtenderEndpoints.class);
    private static final String ROOT = "/api/v1/scheduler";
    private static final String JSON = "application/json; charset=utf-8";
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int TOO_LARGE = 413;
    private static final int BUSY_STATUS = 503;

    private static final ServerResponse.BodyPart COMMA = ServerResponse.BodyPart.of(",");

    private final Extender extender;
    private final PodReader pods;

    public ExtenderEndpoints(Extender extender, PodReader pods) {
        this.extender = extender;
        this.pods = pods;
    }

    public Router addTo(Router router) {
        return router.post(ROOT + "/filter", new FilterRoute()).post(ROOT + "/bind", new BindRoute());
    }

    private final class FilterRoute implements RouteHandler {
        @Override
        public ServerResponse handle(ServerRequest serverRequest) throws InterruptedException {
            try {
                FilterRequest request = FilterRequest.parse(serverRequest);
                return filter(request, request.pod(pods));
            } catch (BadRequestException invalid) {
                return errorResponse(BAD_REQUEST, "error", invalid.message());
            }
        }

        @Override
        public ServerResponse tooLarge(String problem) {
            return errorResponse(TOO_LARGE, "error", tooLargeMessage(problem));
        }

        @Override
        public ServerResponse busy() {
            return errorResponse(BUSY_STATUS, "error", BUSY_MESSAGE);
        }
    }

    private final class BindRoute implements RouteHandler {
        @Override
        public ServerResponse handle(ServerRequest serverRequest) throws InterruptedException {
            try {
                return bind(BindRequest.parse(serverRequest.body()));
            } catch (BadRequestException invalid) {
                return errorResponse(BAD_REQUEST, "Error", invalid.message());
            }
        }

        @Override
        public ServerResponse tooLarge(String problem) {
            return errorResponse(TOO_LARGE, "Error", tooLargeMessage(problem));
        }

        @Override
        public ServerResponse busy() {
            return errorResponse(BUSY_STATUS, "Error", BUSY_MESSAGE);
        }
    }

    private static String tooLargeMessage(String problem) {
        return problem + ". Maybe set nodeCacheCapable: true";
    }

    private static ServerResponse errorResponse(int status, String key, String message) {
        return jsonResponse(status, BoundedJson.writeObject(out -> out.writeStringField(key, message)));
    }

    private static ServerResponse jsonResponse(int status, byte[] json) {
        return ServerResponse.json(status, json).withHeader("Content-Type", JSON);
    }

    private ServerResponse bind(BindRequest request) throws InterruptedException {
        Optional<String> reasons;
        try {
            reasons = extender.bind(new PodUid(request.podUid()), request.nodeName());
        } catch (Extender.ExtenderUnavailable unavailable) {
            reasons = Optional.of(unavailable.message());
        }
        reasons.ifPresent(message -> LOG.atInfo()
                .addKeyValue("pod", request.podName())
                .addKeyValue("node", request.nodeName())
                .log(
                        "extender bind: pod {} is not bound to node {}: {}",
                        request.podName(),
                        request.nodeName(),
                        message));
        return errorResponse(OK, "Error", reasons.orElse(""));
    }

    private ServerResponse filter(FilterRequest request, Pod pod) throws InterruptedException {
        if (!request.hasNodes()) {
            return filterResponse(request, Map.of(), "the request has neither Nodes nor NodeNames");
        }
        List<String> names =
                request.nodes().stream().map(FilterRequest.NodeItem::name).toList();
        try {
            return filterResponse(request, extender.filter(pod, names), "");
        } catch (Extender.ExtenderUnavailable unavailable) {
            return filterResponse(request, Map.of(), unavailable.message());
        }
    }

    private static ServerResponse filterResponse(FilterRequest request, Map<String, List<Veto>> vetoes, String error) {
        List<FilterRequest.NodeItem> feasible = request.nodes().stream()
                .filter(item -> error.isEmpty()
                        && vetoes.getOrDefault(item.name(), List.of()).isEmpty())
                .toList();
        Map<String, String> failed = new TreeMap<>();
        Map<String, String> unresolvable = new TreeMap<>();
        vetoes.forEach((node, reasons) -> {
            if (!reasons.isEmpty()) {
                failed.put(node, joinReasons(reasons));
                if (!reasons.stream().allMatch(Veto::isPreemptible)) {
                    unresolvable.put(node, joinReasons(reasons));
                }
            }
        });
        boolean lowerCaseKeys = request.hasLowerCaseKeys();
        return ServerResponse.of(OK, JSON, responseParts(request, feasible, BoundedJson.writeObject(out -> {
            if (request.byName()) {
                writeNodeNames(out, lowerCaseKeys ? "nodenames" : "NodeNames", feasible);
            }
            writeMap(out, lowerCaseKeys ? "failedNodes" : "FailedNodes", failed);
            writeMap(out, lowerCaseKeys ? "failedAndUnresolvableNodes" : "FailedAndUnresolvableNodes", unresolvable);
            out.writeStringField(lowerCaseKeys ? "error" : "Error", error);
        })));
    }

    private static void writeNodeNames(JsonGenerator out, String key, List<FilterRequest.NodeItem> feasible)
            throws IOException {
        out.writeArrayFieldStart(key);
        for (FilterRequest.NodeItem item : feasible) {
            out.writeString(item.name());
        }
        out.writeEndArray();
    }

    /** Node objects of the request are returned unchanged, before the rest of the response. */
    private static List<ServerResponse.BodyPart> responseParts(
            FilterRequest request, List<FilterRequest.NodeItem> feasible, byte[] rest) {
        if (request.byName()) {
            return List.of(ServerResponse.BodyPart.of(rest));
        }
        List<ServerResponse.BodyPart> parts = new ArrayList<>();
        parts.add(ServerResponse.BodyPart.of(
                "{\"%s\":{\"metadata\":{},\"items\":[".formatted(request.hasLowerCaseKeys() ? "nodes" : "Nodes")));
        for (int i = 0; i < feasible.size(); i++) {
            if (i > 0) {
                parts.add(COMMA);
            }
            parts.add(request.rawNode(feasible.get(i)));
        }
        parts.add(ServerResponse.BodyPart.of("]},"));
        parts.add(new ServerResponse.BodyPart(rest, 1, rest.length - 1));
        return parts;
    }

    private static void writeMap(JsonGenerator out, String name, Map<String, String> map) throws IOException {
        out.writeObjectFieldStart(name);
        for (Map.Entry<String, String> entry : map.entrySet()) {
            out.writeStringField(entry.getKey(), entry.getValue());
        }
        out.writeEndObject();
    }

    private static String joinReasons(List<Veto> vetoes) {
        return vetoes.stream().map(Veto::messageWithHolds).collect(Collectors.joining(", "));
    }
}
