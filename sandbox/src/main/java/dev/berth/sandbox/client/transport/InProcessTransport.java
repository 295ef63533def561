package dev.berth.sandbox.client.transport;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.apiserver.InMemoryApiServer;
import dev.berth.sandbox.authentication.UserInfo;
import dev.berth.sandbox.endpoints.BodyResponse;
import dev.berth.sandbox.endpoints.QueryParameters;
import dev.berth.sandbox.endpoints.RestRequest;
import dev.berth.sandbox.endpoints.RestResponse;
import dev.berth.sandbox.unstructured.JsonText;
import java.time.InstantSource;
import java.util.Map;

/** Calls a server in the same process, on the thread of the caller and without encoding the response. */
public final class InProcessTransport implements Transport {
    private static final byte[] NOTHING = {};

    private final InMemoryApiServer server;
    private final InstantSource clock;
    private final UserInfo userInfo;

    /**
     * @param clock the server's own, by which its watches send bookmarks and end
     */
    public InProcessTransport(InMemoryApiServer server, InstantSource clock, UserInfo userInfo) {
        this.server = server;
        this.clock = clock;
        this.userInfo = userInfo;
    }

    @Override
    public ClientResponse send(ClientRequest clientRequest) {
        RestResponse response = server.handle(request(clientRequest));
        if (response instanceof BodyResponse bodyResponse) {
            return new ClientResponse(bodyResponse.code(), tree(bodyResponse));
        }
        throw new IllegalArgumentException(
                "%s %s is a watch, not a call".formatted(clientRequest.method(), clientRequest.target()));
    }

    @Override
    public WatchStream watch(ClientRequest clientRequest, Runnable onAvailable) {
        RestResponse response = server.handle(request(clientRequest));
        if (response instanceof BodyResponse bodyResponse) {
            return new RejectedWatch(tree(bodyResponse));
        }
        return new InProcessWatch((dev.berth.sandbox.endpoints.WatchResponse) response, clock, onAvailable);
    }

    private static ObjectNode tree(BodyResponse bodyResponse) {
        return bodyResponse.tree().orElseGet(() -> JsonText.parse(bodyResponse.body()));
    }

    private RestRequest request(ClientRequest clientRequest) {
        String target = clientRequest.target();
        int mark = target.indexOf('?');
        QueryParameters queryParameters =
                mark < 0 ? QueryParameters.EMPTY : QueryParameters.parse(target.substring(mark + 1));
        Map<String, String> headers = clientRequest.body().isEmpty()
                ? Map.of("accept", ClientRequest.JSON)
                : Map.of("accept", ClientRequest.JSON, "content-type", clientRequest.contentType());
        byte[] body = clientRequest.body().map(JsonText::write).orElse(NOTHING);
        return new RestRequest(
                clientRequest.method().name(), clientRequest.path(), queryParameters, headers, body, userInfo);
    }

    @Override
    public void close() {
        // The creator of the server closes it.
    }
}
