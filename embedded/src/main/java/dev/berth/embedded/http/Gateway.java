package dev.berth.embedded.http;

import dev.berth.embedded.ApiServer;
import dev.berth.embedded.auth.Tokens;
import dev.berth.embedded.auth.User;
import dev.berth.embedded.rest.Answer;
import dev.berth.embedded.rest.ApiFailure;
import dev.berth.embedded.rest.ApiStatus;
import dev.berth.embedded.rest.Query;
import dev.berth.embedded.rest.Request;
import dev.berth.embedded.rest.Response;
import dev.berth.embedded.rest.WatchStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Between the connections and the server: asks who it is, and answers on the connection's own thread, except for
 * requests that may have to wait for somebody else.
 */
final class Gateway {

    private final ApiServer server;
    private final Tokens tokens;
    private final Executor waiting;
    private final Meddler meddler;

    Gateway(ApiServer server, Tokens tokens, Executor waiting, Meddler meddler) {
        this.server = server;
        this.meddler = meddler;
        this.tokens = tokens;
        this.waiting = waiting;
    }

    void handle(Arrival arrival, Outlet outlet) {
        Request anonymous = anonymous(arrival);
        try {
            Request request = request(arrival, anonymous);
            if (server.mayWait(request)) {
                waiting.execute(() -> answer(request).ifPresent(response -> handOver(response, outlet)));
            } else {
                answer(request).ifPresent(response -> deliver(response, outlet));
            }
        } catch (ApiFailure refusal) {
            outlet.send(server.refused(anonymous, refusal.status()));
        } catch (RejectedExecutionException full) {
            outlet.send(server.refused(
                    anonymous,
                    ApiStatus.tooManyRequests(
                            "too many requests wait for admission webhooks, please try again later",
                            Duration.ofSeconds(1))));
        }
    }

    private Optional<Response> answer(Request request) {
        return meddler.answer(request, server::handle);
    }

    private Request request(Arrival arrival, Request anonymous) {
        Optional<User> user = tokens.authenticate(anonymous.header("authorization"));
        if (user.isEmpty() && !isOpen(anonymous.path())) {
            throw new ApiFailure(ApiStatus.unauthorized());
        }
        int mark = arrival.target().indexOf('?');
        Query query = mark < 0 ? Query.EMPTY : Query.parse(arrival.target().substring(mark + 1));
        return new Request(
                anonymous.method(),
                anonymous.path(),
                query,
                arrival.headers(),
                arrival.body(),
                user.orElse(User.ANONYMOUS));
    }

    private static Request anonymous(Arrival arrival) {
        int mark = arrival.target().indexOf('?');
        String path = mark < 0 ? arrival.target() : arrival.target().substring(0, mark);
        return new Request(
                arrival.method(),
                path.startsWith("/") ? path : "/",
                Query.EMPTY,
                arrival.headers(),
                new byte[0],
                User.ANONYMOUS);
    }

    /** Health and version are told to everybody, as the real server does. */
    private static boolean isOpen(String path) {
        return path.equals("/healthz") || path.equals("/livez") || path.equals("/readyz") || path.equals("/version");
    }

    private static void handOver(Response response, Outlet outlet) {
        outlet.loop().execute(() -> deliver(response, outlet));
    }

    private static void deliver(Response response, Outlet outlet) {
        if (response instanceof WatchStream watch) {
            outlet.stream(watch);
        } else {
            outlet.send((Answer) response);
        }
    }
}
