package dev.berth.app.faults;

import dev.berth.embedded.http.Meddler;
import dev.berth.embedded.rest.Request;
import dev.berth.embedded.rest.Response;
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
final class Outage implements Meddler {
    private static final int CREATED = 201;

    private final Map<String, Integer> bound = new ConcurrentSkipListMap<>();
    private final Set<String> unheard = ConcurrentHashMap.newKeySet();
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

    Set<String> carriedOutUnheard() {
        return unheard;
    }

    int renewalsRefused() {
        return renewalsRefused.get();
    }

    @Override
    public Optional<Response> answer(Request request, Function<Request, Response> server) {
        Function<Request, Response> counting = asked -> count(asked, server.apply(asked));
        if (!down || !request.header("user-agent").startsWith("berth")) {
            return Optional.of(counting.apply(request));
        }
        if (request.path().endsWith("/binding")) {
            return (first(request.path()) ? Fault.ANSWER_LOST : Fault.BUSY).meet(request, counting);
        }
        if (request.path().endsWith("/leases/berth") && request.method().equals("PUT")) {
            renewalsRefused.incrementAndGet();
        }
        return Fault.BROKEN.meet(request, counting);
    }

    private synchronized boolean first(String bind) {
        return unheard.isEmpty() && unheard.add(bind);
    }

    private Response count(Request request, Response response) {
        if (request.path().endsWith("/binding") && response.code() == CREATED) {
            bound.merge(request.path(), 1, Integer::sum);
        }
        return response;
    }
}
