package dev.berth.sandbox.http;

import dev.berth.sandbox.apierrors.ApiStatus;
import dev.berth.sandbox.apierrors.ApiStatusException;
import dev.berth.sandbox.apiserver.InMemoryApiServer;
import dev.berth.sandbox.authentication.TokenAuthenticator;
import dev.berth.sandbox.authentication.UserInfo;
import dev.berth.sandbox.endpoints.BodyResponse;
import dev.berth.sandbox.endpoints.QueryParameters;
import dev.berth.sandbox.endpoints.RestRequest;
import dev.berth.sandbox.endpoints.RestResponse;
import dev.berth.sandbox.endpoints.WatchResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Authenticates requests and passes them to the API server. It responds on the thread of the connection, except for
 * requests that may wait for a webhook.
 */
final class RequestDispatcher {

    private final InMemoryApiServer server;
    private final TokenAuthenticator tokenAuthenticator;
    private final Executor blockingExecutor;
    private final RequestInterceptor requestInterceptor;

    RequestDispatcher(
            InMemoryApiServer server,
            TokenAuthenticator tokenAuthenticator,
            Executor blockingExecutor,
            RequestInterceptor requestInterceptor) {
        this.server = server;
        this.requestInterceptor = requestInterceptor;
        this.tokenAuthenticator = tokenAuthenticator;
        this.blockingExecutor = blockingExecutor;
    }

    void handle(IncomingRequest incomingRequest, ResponseChannel responseChannel) {
        RestRequest anonymous = anonymousRequest(incomingRequest);
        try {
            RestRequest request = request(incomingRequest, anonymous);
            if (server.mayBlock(request)) {
                blockingExecutor.execute(
                        () -> answer(request).ifPresent(response -> deliverOnEventLoop(response, responseChannel)));
            } else {
                answer(request).ifPresent(response -> deliver(response, responseChannel));
            }
        } catch (ApiStatusException refusal) {
            responseChannel.send(server.statusResponse(anonymous, refusal.status()));
        } catch (RejectedExecutionException full) {
            responseChannel.send(server.statusResponse(
                    anonymous,
                    ApiStatus.tooManyRequests(
                            "too many requests wait for admission webhooks, please try again later",
                            Duration.ofSeconds(1))));
        }
    }

    private Optional<RestResponse> answer(RestRequest request) {
        return requestInterceptor.intercept(request, server::handle);
    }

    private RestRequest request(IncomingRequest incomingRequest, RestRequest anonymous) {
        Optional<UserInfo> userInfo = tokenAuthenticator.authenticate(anonymous.header("authorization"));
        if (userInfo.isEmpty() && !allowsAnonymous(anonymous.path())) {
            throw new ApiStatusException(ApiStatus.unauthorized());
        }
        int mark = incomingRequest.target().indexOf('?');
        QueryParameters queryParameters = mark < 0
                ? QueryParameters.EMPTY
                : QueryParameters.parse(incomingRequest.target().substring(mark + 1));
        return new RestRequest(
                anonymous.method(),
                anonymous.path(),
                queryParameters,
                incomingRequest.headers(),
                incomingRequest.body(),
                userInfo.orElse(UserInfo.ANONYMOUS));
    }

    private static RestRequest anonymousRequest(IncomingRequest incomingRequest) {
        int mark = incomingRequest.target().indexOf('?');
        String path =
                mark < 0 ? incomingRequest.target() : incomingRequest.target().substring(0, mark);
        return new RestRequest(
                incomingRequest.method(),
                path.startsWith("/") ? path : "/",
                QueryParameters.EMPTY,
                incomingRequest.headers(),
                new byte[0],
                UserInfo.ANONYMOUS);
    }

    /** Health and version need no authentication, as in the real server. */
    private static boolean allowsAnonymous(String path) {
        return path.equals("/healthz") || path.equals("/livez") || path.equals("/readyz") || path.equals("/version");
    }

    private static void deliverOnEventLoop(RestResponse response, ResponseChannel responseChannel) {
        responseChannel.eventLoop().execute(() -> deliver(response, responseChannel));
    }

    private static void deliver(RestResponse response, ResponseChannel responseChannel) {
        if (response instanceof WatchResponse watch) {
            responseChannel.stream(watch);
        } else {
            responseChannel.send((BodyResponse) response);
        }
    }
}
