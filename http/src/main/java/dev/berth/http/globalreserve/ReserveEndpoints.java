package dev.berth.http.globalreserve;

import dev.berth.core.door.globalreserve.ReserveRequest;
import dev.berth.core.door.globalreserve.ReserveResponse;
import dev.berth.core.door.globalreserve.ReserveService;
import dev.berth.core.hold.Origin;
import dev.berth.http.RouteHandler;
import dev.berth.http.Router;
import dev.berth.http.ServerRequest;
import dev.berth.http.ServerResponse;
import dev.berth.http.json.BadRequestException;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The two paths of the Reserve API. {@code /reserve} always answers 200 and has failures in {@code Error}: its clients take
 * any other status for a broken server. It answers 503 only when there is no memory for a request, or while Berth shuts
 * down. Each request and its result is logged.
 */
public final class ReserveEndpoints {
    private static final Logger LOG = LoggerFactory.getLogger(ReserveEndpoints.class);
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    /** About the memory of the details of one pod until they are sent. */
    private static final int RESPONSE_COST_PER_POD = 2_048;

    private final ReserveService pool;
    private final ReserveJson json;

    public ReserveEndpoints(ReserveService pool, PodReader pods) {
        this.pool = pool;
        this.json = new ReserveJson(pods);
    }

    public Router addTo(Router router) {
        return router.post("/reserve", new ReserveRoute()).post("/unreserve", this::unreserve);
    }

    private final class ReserveRoute implements RouteHandler {
        @Override
        public ServerResponse handle(ServerRequest serverRequest) throws InterruptedException {
            try {
                ReserveRequest request = json.read(serverRequest);
                ReserveResponse response = pool.reserve(request);
                log("reserve", request, response);
                serverRequest
                        .share()
                        .acquire(RESPONSE_COST_PER_POD
                                * (long) response.details().size());
                return reply(response);
            } catch (BadRequestException invalid) {
                LOG.info("reserve: {}", replaceControlCharacters(invalid.message()));
                return reply(ReserveResponse.invalidRequest(invalid.message()));
            }
        }

        @Override
        public ServerResponse tooLarge(String problem) {
            return reply(ReserveResponse.invalidRequest(problem + ". " + SPLIT_HINT));
        }

        /** The only status other than 200: clients treat it as a failure, which is right here. */
        @Override
        public ServerResponse busy() {
            return ServerResponse.json(503, ReserveJson.write(ReserveResponse.invalidRequest(BUSY_MESSAGE)));
        }

        private ServerResponse reply(ReserveResponse response) {
            return ServerResponse.json(OK, ReserveJson.write(response));
        }
    }

    /** An empty body is success; an error is plain text, although the content type says JSON, as in kube-globalreserve. */
    private ServerResponse unreserve(ServerRequest serverRequest) throws InterruptedException {
        try {
            ReserveRequest request = json.read(serverRequest);
            ReserveResponse response = pool.unreserve(request);
            log("unreserve", request, response);
            int status = response.error().equals(ReserveResponse.SCHEDULER_NAME_MISSING) ? BAD_REQUEST : OK;
            return ServerResponse.of(status, ServerResponse.JSON, response.error());
        } catch (BadRequestException invalid) {
            LOG.info("unreserve: {}", replaceControlCharacters(invalid.message()));
            return ServerResponse.of(OK, ServerResponse.JSON, invalid.message());
        }
    }

    private static void log(String what, ReserveRequest request, ReserveResponse response) {
        if (!LOG.isInfoEnabled()) {
            return;
        }
        String assignments = request.assignments().stream()
                .map(podAssignment -> "%s on %s".formatted(podAssignment.pod(), podAssignment.nodeName()))
                .collect(Collectors.joining(", "));
        List<String> reasons = response.details().isEmpty() ? List.of(response.error()) : response.details();
        String scheduler = request.schedulerName().isEmpty()
                ? "(no SchedulerName)"
                : replaceControlCharacters(request.schedulerName());
        LOG.atInfo()
                .addKeyValue("door", Origin.DoorId.GLOBALRESERVE.text())
                .addKeyValue("schedulerName", scheduler)
                .log(
                        "{} by {} ({}): {}",
                        what,
                        scheduler,
                        assignments.isEmpty() ? "no pods" : replaceControlCharacters(assignments),
                        response.succeeded() ? "done" : replaceControlCharacters(String.join("; ", reasons)));
    }

    /** A client must not be able to forge lines of the log. */
    private static String replaceControlCharacters(String text) {
        return text.replaceAll("\\p{Cntrl}", " ");
    }
}
