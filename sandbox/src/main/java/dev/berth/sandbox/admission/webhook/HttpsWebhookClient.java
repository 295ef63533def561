package dev.berth.sandbox.admission.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kubeclient.pem.ClientConfigException;
import dev.berth.kubeclient.tls.TrustedAuthorities;
import dev.berth.sandbox.unstructured.JsonText;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;

/**
 * Calls webhooks over HTTPS; the caller waits. A call ends at its timeout whatever the webhook does: a webhook that sends
 * its response byte by byte gets no more time than a silent one. Idle threads end.
 */
public final class HttpsWebhookClient implements WebhookClient, AutoCloseable {

    private static final int MAX_QUOTED_BODY = 2_048;

    private final AtomicInteger number = new AtomicInteger();
    private final ThreadPoolExecutor threads =
            new ThreadPoolExecutor(0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), work -> {
                Thread thread = new Thread(work, "webhook-call-" + number.getAndIncrement());
                thread.setDaemon(true);
                return thread;
            });
    private final Map<String, HttpClient> clientsByCaBundle = new ConcurrentHashMap<>();

    private record HttpAnswer(int code, BoundedResponseBody body) {}

    @Override
    public ObjectNode call(WebhookEndpoint address, ObjectNode review) throws IOException {
        HttpAnswer got = await(address, exchange(address, JsonText.write(review)));
        if (got.code < 200 || got.code > 206) {
            throw new IOException(httpErrorMessage(got.code, got.body));
        }
        if (JsonText.read(got.body.toBytes()) instanceof ObjectNode answer) {
            return answer;
        }
        throw new IOException("couldn't get version/kind; json parse error: the response is not a JSON object");
    }

    /** The query tells the webhook its timeout, as the real server does. */
    private static URI withTimeoutParameter(WebhookEndpoint address) {
        String separator = address.url().getRawQuery() == null ? "?" : "&";
        return URI.create(
                address.url() + separator + "timeout=" + address.timeout().toSeconds() + "s");
    }

    /**
     * A webhook may have closed a connection that was kept from an earlier call. Then the call is repeated once, with a
     * client that has no kept connections, and its result counts.
     */
    private CompletableFuture<HttpAnswer> exchange(WebhookEndpoint address, byte[] requestBody) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(withTimeoutParameter(address))
                .header("Content-Type", "application/json")
                .header("Accept", "application/json")
                .POST(BodyPublishers.ofByteArray(requestBody))
                .build();
        HttpClient client = client(address.caBundlePem());
        return send(client, request)
                .exceptionallyCompose(failure -> isConnectionClosed(failure)
                        ? retryOnNewConnection(client, address.caBundlePem(), request)
                        : CompletableFuture.failedFuture(failure));
    }

    private CompletableFuture<HttpAnswer> retryOnNewConnection(
            HttpClient used, String authorityPem, HttpRequest request) {
        clientsByCaBundle.remove(authorityPem, used);
        try {
            return send(client(authorityPem), request);
        } catch (IOException unusable) {
            return CompletableFuture.failedFuture(unusable);
        }
    }

    private static CompletableFuture<HttpAnswer> send(HttpClient client, HttpRequest request) {
        BoundedResponseBody body = new BoundedResponseBody();
        return client.sendAsync(request, BodyHandlers.ofByteArrayConsumer(body))
                .thenApply(answer -> new HttpAnswer(answer.statusCode(), body));
    }

    private static boolean isConnectionClosed(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof EOFException
                    || (cause instanceof SocketException && !(cause instanceof ConnectException))) {
                return true;
            }
        }
        return false;
    }

    private static HttpAnswer await(WebhookEndpoint address, CompletableFuture<HttpAnswer> answer) throws IOException {
        String target = "Post \"" + withTimeoutParameter(address) + "\": ";
        try {
            return answer.get(address.timeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            answer.cancel(true);
            throw new IOException(target + "context deadline exceeded", late);
        } catch (ExecutionException failure) {
            throw new IOException(target + errorMessage(address.url(), failure), failure);
        } catch (InterruptedException ending) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw new IOException(target + "context canceled", ending);
        }
    }

    private static String errorMessage(URI url, ExecutionException failure) {
        Throwable cause = failure.getCause();
        if (cause instanceof ConnectException) {
            return "dial tcp " + url.getAuthority() + ": connect: connection refused";
        }
        return cause == null ? "unknown" : String.valueOf(cause.getMessage());
    }

    /** The message of the real server for a status code without a Status object. */
    private static String httpErrorMessage(int code, BoundedResponseBody body) throws IOException {
        return switch (code) {
            case 400 -> "the server rejected our request for an unknown reason";
            case 401 -> "the server has asked for the client to provide credentials";
            case 404 -> "the server could not find the requested resource";
            case 405 -> "the server does not allow this method on the requested resource";
            case 409 -> "the server reported a conflict";
            case 422 -> "the server rejected our request due to an error in our request";
            case 429 -> "the server has received too many requests and has asked us to try again later";
            case 503 -> "the server is currently unable to handle the request";
            case 504 ->
                "the server was unable to return a response in the time allotted, but may still be processing the"
                        + " request";
            default ->
                code >= 500
                        ? quoteBody(body)
                        : "the server responded with the status code " + code + " but did not return more information";
        };
    }

    private static String quoteBody(BoundedResponseBody body) throws IOException {
        String said = new String(body.toBytes(), StandardCharsets.UTF_8);
        String shown = said.length() > MAX_QUOTED_BODY ? said.substring(0, MAX_QUOTED_BODY) : said;
        return "an error on the server (\"" + shown + "\") has prevented the request from succeeding";
    }

    private HttpClient client(String authorityPem) throws IOException {
        HttpClient known = clientsByCaBundle.get(authorityPem);
        if (known == null) {
            // One stream a connection: past the other side's limit of streams the JDK's client fails.
            HttpClient.Builder builder =
                    HttpClient.newBuilder().executor(threads).version(HttpClient.Version.HTTP_1_1);
            if (!authorityPem.isEmpty()) {
                builder.sslContext(sslContext(authorityPem));
            }
            known = builder.build();
            clientsByCaBundle.put(authorityPem, known);
        }
        return known;
    }

    private static SSLContext sslContext(String authorityPem) throws IOException {
        try {
            return TrustedAuthorities.sslContext("caBundle", authorityPem);
        } catch (ClientConfigException unusable) {
            throw new IOException("unusable caBundle: " + unusable.getMessage(), unusable);
        }
    }

    /** Ends the threads, and with them the calls in progress. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
