package dev.berth.e2e.faults;

import dev.berth.sandbox.endpoints.RestRequest;
import dev.berth.sandbox.endpoints.RestResponse;
import dev.berth.sandbox.http.RequestInterceptor;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * A time in which the server takes nothing from Berth, as one without its etcd: but the first bind is carried out, and
 * nobody hears of it. What was being watched before is still told.
 */
final class Outage implements RequestInterceptor {
    private static final int CREATED = 201;

    private final Map<String, Integer> bound = new ConcurrentSkipListMap<>();
    private final Set<String> bindsWithoutResponse = ConcurrentHashMap.newKeySet();
    private final AtomicInteger renewalsRefused = new AtomicInteger();
    private volatile boolean down;

    void begin() {
        down = true;
    }

    void end() {
        down = false;
    }

    /** The bindings that the server took, and how often. */
    Map<String, Integer> bound() {
        return bound;
    }

    Set<String> bindsWithoutResponse() {
        return bindsWithoutResponse;
    }

    int renewalsRefused() {
        return renewalsRefused.get();
    }

    @Override
    public Optional<RestResponse> intercept(RestRequest request, Function<RestRequest, RestResponse> server) {
        Function<RestRequest, RestResponse> counting = asked -> count(asked, server.apply(asked));
        if (!down || !request.header("user-agent").startsWith("berth")) {
            return Optional.of(counting.apply(request));
        }
        if (request.path().endsWith("/binding")) {
            return (first(request.path()) ? Fault.ANSWER_LOST : Fault.BUSY).applyTo(request, counting);
        }
        if (request.path().endsWith("/leases/berth") && request.method().equals("PUT")) {
            renewalsRefused.incrementAndGet();
        }
        return Fault.BROKEN.applyTo(request, counting);
    }

    private synchronized boolean first(String bind) {
        return bindsWithoutResponse.isEmpty() && bindsWithoutResponse.add(bind);
    }

    private RestResponse count(RestRequest request, RestResponse response) {
        if (request.path().endsWith("/binding") && response.code() == CREATED) {
            bound.merge(request.path(), 1, Integer::sum);
        }
        return response;
    }
}
