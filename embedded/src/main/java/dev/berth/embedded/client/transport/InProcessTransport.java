package dev.berth.embedded.client.transport;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.ApiServer;
import dev.berth.embedded.auth.User;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.rest.Answer;
import dev.berth.embedded.rest.Query;
import dev.berth.embedded.rest.Request;
import dev.berth.embedded.rest.Response;
import java.time.InstantSource;
import java.util.Map;

/** Speaks to an embedded server in the same process, on the caller's thread and without encoding what comes back. */
public final class InProcessTransport implements Transport {
    private static final byte[] NOTHING = {};

    private final ApiServer server;
    private final InstantSource clock;
    private final User user;

    /**
     * @param clock the server's own, by which its watches send bookmarks and end
     */
    public InProcessTransport(ApiServer server, InstantSource clock, User user) {
        this.server = server;
        this.clock = clock;
        this.user = user;
    }

    @Override
    public Reply send(Call call) {
        Response response = server.handle(request(call));
        if (response instanceof Answer answer) {
            return new Reply(answer.code(), tree(answer));
        }
        throw new IllegalArgumentException("%s %s is a watch, not a call".formatted(call.method(), call.target()));
    }

    @Override
    public WatchStream watch(Call call, Runnable arrived) {
        Response response = server.handle(request(call));
        if (response instanceof Answer answer) {
            return new RefusedWatch(tree(answer));
        }
        return new InProcessWatch((dev.berth.embedded.rest.WatchStream) response, clock, arrived);
    }

    private static ObjectNode tree(Answer answer) {
        return answer.tree().orElseGet(() -> Json.parse(answer.body()));
    }

    private Request request(Call call) {
        String target = call.target();
        int mark = target.indexOf('?');
        Query query = mark < 0 ? Query.EMPTY : Query.parse(target.substring(mark + 1));
        Map<String, String> headers = call.body().isEmpty()
                ? Map.of("accept", Call.JSON)
                : Map.of("accept", Call.JSON, "content-type", call.contentType());
        byte[] body = call.body().map(Json::bytes).orElse(NOTHING);
        return new Request(call.method().name(), call.path(), query, headers, body, user);
    }

    @Override
    public void close() {
        // The server belongs to whoever made it.
    }
}
