package dev.berth.http.reserve;

import dev.berth.core.door.reserve.ReserveAnswer;
import dev.berth.core.door.reserve.ReservePool;
import dev.berth.core.door.reserve.ReserveRequest;
import dev.berth.core.hold.Origin;
import dev.berth.http.Asked;
import dev.berth.http.Reply;
import dev.berth.http.Route;
import dev.berth.http.Router;
import dev.berth.http.json.BadRequest;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The two paths of the Reserve API. {@code /reserve} always answers 200 and says in {@code Error} whether it went well:
 * its callers take any other status for a broken server. Only where there is no memory for a request, or Berth is ending,
 * it answers 503. The log says what was kept and what stood in whose way.
 */
public final class ReserveApi {
    private static final Logger LOG = LoggerFactory.getLogger(ReserveApi.class);
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    /** About what the details of one pod take until they are sent. */
    private static final int ANSWER_PER_POD = 2_048;

    private final ReservePool pool;
    private final ReserveJson json;

    public ReserveApi(ReservePool pool, PodReader pods) {
        this.pool = pool;
        this.json = new ReserveJson(pods);
    }

    public Router addTo(Router router) {
        return router.post("/reserve", new Reserve()).post("/unreserve", this::unreserve);
    }

    private final class Reserve implements Route {
        @Override
        public Reply answer(Asked asked) throws InterruptedException {
            try {
                ReserveRequest request = json.read(asked);
                ReserveAnswer answer = pool.reserve(request);
                log("reserve", request, answer);
                asked.share().take(ANSWER_PER_POD * (long) answer.details().size());
                return reply(answer);
            } catch (BadRequest senseless) {
                LOG.info("reserve: {}", clean(senseless.words()));
                return reply(ReserveAnswer.notUnderstood(senseless.words()));
            }
        }

        @Override
        public Reply tooLarge(String problem) {
            return reply(ReserveAnswer.notUnderstood(problem + ". " + IN_PARTS));
        }

        /** The one answer that is not 200: callers of old take it for a failure, which it is. */
        @Override
        public Reply busy() {
            return Reply.json(503, ReserveJson.write(ReserveAnswer.notUnderstood(BUSY)));
        }

        private Reply reply(ReserveAnswer answer) {
            return Reply.json(OK, ReserveJson.write(answer));
        }
    }

    /** An empty answer is a good one; what went wrong is a text, though the type says JSON. */
    private Reply unreserve(Asked asked) throws InterruptedException {
        try {
            ReserveRequest request = json.read(asked);
            ReserveAnswer answer = pool.unreserve(request);
            log("unreserve", request, answer);
            int status = answer.error().equals(ReserveAnswer.NO_SCHEDULER) ? BAD_REQUEST : OK;
            return Reply.of(status, Reply.JSON, answer.error());
        } catch (BadRequest senseless) {
            LOG.info("unreserve: {}", clean(senseless.words()));
            return Reply.of(OK, Reply.JSON, senseless.words());
        }
    }

    private static void log(String what, ReserveRequest request, ReserveAnswer answer) {
        if (!LOG.isInfoEnabled()) {
            return;
        }
        String seats = request.seats().stream()
                .map(seat -> "%s on %s".formatted(seat.pod(), seat.node()))
                .collect(Collectors.joining(", "));
        List<String> why = answer.details().isEmpty() ? List.of(answer.error()) : answer.details();
        String scheduler = request.scheduler().isEmpty() ? "nobody" : clean(request.scheduler());
        LOG.atInfo()
                .addKeyValue("door", Origin.Door.RESERVE.word())
                .addKeyValue("scheduler", scheduler)
                .log(
                        "{} by {} ({}): {}",
                        what,
                        scheduler,
                        seats.isEmpty() ? "no pods" : clean(seats),
                        answer.done() ? "done" : clean(String.join("; ", why)));
    }

    /** Nobody writes lines of their own into the log. */
    private static String clean(String words) {
        return words.replaceAll("\\p{Cntrl}", " ");
    }
}
