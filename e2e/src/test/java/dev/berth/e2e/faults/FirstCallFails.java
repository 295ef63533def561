package dev.berth.e2e.faults;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.sandbox.endpoints.RestRequest;
import dev.berth.sandbox.endpoints.RestResponse;
import dev.berth.sandbox.http.RequestInterceptor;
import dev.berth.sandbox.unstructured.JsonText;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Function;

/** Each call of Berth, by method, path and what it patches, goes wrong the first time. */
final class FirstCallFails implements RequestInterceptor {
    private static final int OK = 200;
    private static final int CREATED = 201;
    private static final Set<String> PRECONDITIONS = Set.of("metadata.uid", "metadata.resourceVersion");

    private final Fault fault;
    private final Set<String> failed = new ConcurrentSkipListSet<>();
    private final Map<String, Integer> bound = new ConcurrentSkipListMap<>();
    private final Set<String> deleted = new ConcurrentSkipListSet<>();

    FirstCallFails(Fault fault) {
        this.fault = fault;
    }

    @Override
    public Optional<RestResponse> intercept(RestRequest request, Function<RestRequest, RestResponse> server) {
        Function<RestRequest, RestResponse> counting = asked -> count(asked, server.apply(asked));
        if (!request.header("user-agent").startsWith("berth") || !fault.appliesTo(request)) {
            return Optional.of(counting.apply(request));
        }
        return failed.add(call(request)) ? fault.applyTo(request, counting) : Optional.of(counting.apply(request));
    }

    private static String call(RestRequest request) {
        String call = request.method() + " " + request.path();
        if (request.method().equals("PATCH")) {
            return call + " " + fields("", JsonText.parse(request.body()));
        }
        return request.queryParameters().flag("watch") ? call + " as a watch" : call;
    }

    /** The names of what is set and of what is taken away, but for what says which object it is. */
    private static Set<String> fields(String path, JsonNode value) {
        if (!value.isObject()) {
            return PRECONDITIONS.contains(path) ? Set.of() : Set.of(value.isNull() ? "no " + path : path);
        }
        Set<String> fields = new TreeSet<>();
        value.properties()
                .forEach(field -> fields.addAll(
                        fields(path.isEmpty() ? field.getKey() : path + "." + field.getKey(), field.getValue())));
        return fields;
    }

    private RestResponse count(RestRequest request, RestResponse response) {
        if (request.path().endsWith("/binding") && response.code() == CREATED) {
            bound.merge(request.path(), 1, Integer::sum);
        }
        boolean berths = request.header("user-agent").startsWith("berth");
        if (berths && request.method().equals("DELETE") && response.code() == OK) {
            deleted.add(request.path());
        }
        return response;
    }

    /**
     * What went wrong, such as {@code POST /api/v1/namespaces/default/pods/p-1/binding} or {@code PATCH
     * /api/v1/namespaces/default/pods/p-1/status [no status.nominatedNodeName]}.
     */
    List<String> failed() {
        return List.copyOf(failed);
    }

    /** The bindings that the server took, and how often. */
    Map<String, Integer> bound() {
        return bound;
    }

    /** What the server deleted because Berth wished it. */
    Set<String> deleted() {
        return deleted;
    }
}
