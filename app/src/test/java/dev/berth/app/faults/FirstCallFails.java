package dev.berth.app.faults;

import dev.berth.embedded.http.Meddler;
import dev.berth.embedded.rest.Request;
import dev.berth.embedded.rest.Response;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Function;

/** Each call of Berth, by method and path, goes wrong the first time. */
final class FirstCallFails implements Meddler {
    private static final int CREATED = 201;

    private final Fault fault;
    private final Set<String> failed = new ConcurrentSkipListSet<>();
    private final Map<String, Integer> bound = new ConcurrentSkipListMap<>();

    FirstCallFails(Fault fault) {
        this.fault = fault;
    }

    @Override
    public Optional<Response> answer(Request request, Function<Request, Response> server) {
        Function<Request, Response> counting = asked -> count(asked, server.apply(asked));
        if (!request.header("user-agent").startsWith("berth") || !fault.appliesTo(request)) {
            return Optional.of(counting.apply(request));
        }
        boolean watch = request.query().flag("watch");
        String call = "%s %s%s".formatted(request.method(), request.path(), watch ? " as a watch" : "");
        return failed.add(call) ? fault.meet(request, counting) : Optional.of(counting.apply(request));
    }

    private Response count(Request request, Response response) {
        if (request.path().endsWith("/binding") && response.code() == CREATED) {
            bound.merge(request.path(), 1, Integer::sum);
        }
        return response;
    }

    /** What went wrong, such as {@code POST /api/v1/namespaces/default/pods/p-1/binding}. */
    List<String> failed() {
        return List.copyOf(failed);
    }

    /** The bindings that the server took, and how often. */
    Map<String, Integer> bound() {
        return bound;
    }
}
