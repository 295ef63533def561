package dev.berth.http.extender;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.placement.filter.Veto;
import dev.berth.http.Asked;
import dev.berth.http.Reply;
import dev.berth.http.Route;
import dev.berth.http.Router;
import dev.berth.http.json.BadRequest;
import dev.berth.http.json.Json;
import dev.berth.http.reserve.PodReader;
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
 * The two paths of the extender. Whatever the answer is about, its status is 200: any other is a broken extender to
 * kube-scheduler. Only a body that is no request at all is a bad one. Nodes on which holds or devices stand in the way are
 * also named as beyond remedy, so that nobody evicts pods there in vain.
 */
public final class ExtenderApi {
    private static final Logger LOG = LoggerFactory.getLogger(ExtenderApi.class);
    private static final String ROOT = "/api/v1/scheduler";
    private static final String JSON = "application/json; charset=utf-8";
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int TOO_LARGE = 413;
    private static final int BUSY_STATUS = 503;

    private static final Reply.Part COMMA = Reply.Part.of(",");

    private final Extender extender;
    private final PodReader pods;

    public ExtenderApi(Extender extender, PodReader pods) {
        this.extender = extender;
        this.pods = pods;
    }

    public Router addTo(Router router) {
        return router.post(ROOT + "/filter", new Filter()).post(ROOT + "/bind", new Bind());
    }

    private final class Filter implements Route {
        @Override
        public Reply answer(Asked asked) throws InterruptedException {
            try {
                FilterRequest request = FilterRequest.read(asked);
                return filter(request, request.pod(pods));
            } catch (BadRequest senseless) {
                return failure(BAD_REQUEST, "error", senseless.words());
            }
        }

        @Override
        public Reply tooLarge(String problem) {
            return failure(TOO_LARGE, "error", tooMuch(problem));
        }

        @Override
        public Reply busy() {
            return failure(BUSY_STATUS, "error", BUSY);
        }
    }

    private final class Bind implements Route {
        @Override
        public Reply answer(Asked asked) throws InterruptedException {
            try {
                return bind(BindRequest.read(asked.body()));
            } catch (BadRequest senseless) {
                return failure(BAD_REQUEST, "Error", senseless.words());
            }
        }

        @Override
        public Reply tooLarge(String problem) {
            return failure(TOO_LARGE, "Error", tooMuch(problem));
        }

        @Override
        public Reply busy() {
            return failure(BUSY_STATUS, "Error", BUSY);
        }
    }

    private static String tooMuch(String problem) {
        return problem + ". Maybe set nodeCacheCapable: true";
    }

    private static Reply failure(int status, String key, String words) {
        return reply(status, Json.write(out -> out.writeStringField(key, words)));
    }

    private static Reply reply(int status, byte[] json) {
        return Reply.json(status, json).with("Content-Type", JSON);
    }

    private Reply bind(BindRequest request) throws InterruptedException {
        Optional<String> why;
        try {
            why = extender.bind(new PodUid(request.uid()), request.node());
        } catch (Extender.NoAnswer none) {
            why = Optional.of(none.words());
        }
        why.ifPresent(words -> LOG.atInfo()
                .addKeyValue("pod", request.pod())
                .addKeyValue("node", request.node())
                .log("pod {} is not bound to {}: {}", request.pod(), request.node(), words));
        return failure(OK, "Error", why.orElse(""));
    }

    private Reply filter(FilterRequest request, Pod pod) throws InterruptedException {
        if (!request.given()) {
            return answer(request, Map.of(), "neither Nodes nor NodeNames is given");
        }
        List<String> names =
                request.nodes().stream().map(FilterRequest.Item::name).toList();
        try {
            return answer(request, extender.vetoes(pod, names), "");
        } catch (Extender.NoAnswer none) {
            return answer(request, Map.of(), none.words());
        }
    }

    private static Reply answer(FilterRequest request, Map<String, List<Veto>> vetoes, String error) {
        List<FilterRequest.Item> fitting = request.nodes().stream()
                .filter(item -> error.isEmpty()
                        && vetoes.getOrDefault(item.name(), List.of()).isEmpty())
                .toList();
        Map<String, String> failed = new TreeMap<>();
        Map<String, String> beyondRemedy = new TreeMap<>();
        vetoes.forEach((node, why) -> {
            if (!why.isEmpty()) {
                failed.put(node, words(why));
                if (!why.stream().allMatch(Veto::preemptible)) {
                    beyondRemedy.put(node, words(why));
                }
            }
        });
        boolean small = request.small();
        return Reply.of(OK, JSON, whole(request, fitting, Json.write(out -> {
            if (request.byName()) {
                names(out, small ? "nodenames" : "NodeNames", fitting);
            }
            map(out, small ? "failedNodes" : "FailedNodes", failed);
            map(out, small ? "failedAndUnresolvableNodes" : "FailedAndUnresolvableNodes", beyondRemedy);
            out.writeStringField(small ? "error" : "Error", error);
        })));
    }

    private static void names(JsonGenerator out, String key, List<FilterRequest.Item> fitting) throws IOException {
        out.writeArrayFieldStart(key);
        for (FilterRequest.Item item : fitting) {
            out.writeString(item.name());
        }
        out.writeEndArray();
    }

    /** Where nodes came whole they go back as they came, before the rest of the answer. */
    private static List<Reply.Part> whole(FilterRequest request, List<FilterRequest.Item> fitting, byte[] rest) {
        if (request.byName()) {
            return List.of(Reply.Part.of(rest));
        }
        List<Reply.Part> parts = new ArrayList<>();
        parts.add(Reply.Part.of("{\"%s\":{\"metadata\":{},\"items\":[".formatted(request.small() ? "nodes" : "Nodes")));
        for (int i = 0; i < fitting.size(); i++) {
            if (i > 0) {
                parts.add(COMMA);
            }
            parts.add(request.whole(fitting.get(i)));
        }
        parts.add(Reply.Part.of("]},"));
        parts.add(new Reply.Part(rest, 1, rest.length - 1));
        return parts;
    }

    private static void map(JsonGenerator out, String name, Map<String, String> map) throws IOException {
        out.writeObjectFieldStart(name);
        for (Map.Entry<String, String> entry : map.entrySet()) {
            out.writeStringField(entry.getKey(), entry.getValue());
        }
        out.writeEndObject();
    }

    private static String words(List<Veto> vetoes) {
        return vetoes.stream().map(Veto::wordsWithKeepers).collect(Collectors.joining(", "));
    }
}
