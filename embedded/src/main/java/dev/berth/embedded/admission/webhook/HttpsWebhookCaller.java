package dev.berth.embedded.admission.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.rest.kind.Json;
import java.io.ByteArrayInputStream;
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
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
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
import javax.net.ssl.TrustManagerFactory;

/**
 * Calls webhooks over HTTPS; the caller waits. A call ends at its timeout whatever the other side does: one that sends
 * its answer byte by byte gets no more time than a silent one. Threads are made for calls and go when there are none.
 */
public final class HttpsWebhookCaller implements WebhookCaller, AutoCloseable {

    private static final int SHOWN_OF_A_FAULT = 2_048;

    private final AtomicInteger number = new AtomicInteger();
    private final ThreadPoolExecutor threads =
            new ThreadPoolExecutor(0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), work -> {
                Thread thread = new Thread(work, "webhook-call-" + number.getAndIncrement());
                thread.setDaemon(true);
                return thread;
            });
    private final Map<String, HttpClient> trusting = new ConcurrentHashMap<>();

    private record Answer(int code, BoundedBody body) {}

    @Override
    public ObjectNode call(WebhookAddress address, ObjectNode review) throws IOException {
        Answer got = await(address, exchange(address, Json.write(review)));
        if (got.code < 200 || got.code > 206) {
            throw new IOException(fault(got.code, got.body));
        }
        if (Json.read(got.body.bytes()) instanceof ObjectNode answer) {
            return answer;
        }
        throw new IOException("couldn't get version/kind; json parse error: the answer is no JSON object");
    }

    /** The webhook is told how long it has, as the real server does. */
    private static URI timed(WebhookAddress address) {
        String separator = address.url().getRawQuery() == null ? "?" : "&";
        return URI.create(
                address.url() + separator + "timeout=" + address.timeout().toSeconds() + "s");
    }

    /**
     * A webhook may have closed a connection that was kept from an earlier call: the question is then put once more, by a
     * client that has kept none, and only what that one meets is the truth.
     */
    private CompletableFuture<Answer> exchange(WebhookAddress address, byte[] question) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(timed(address))
                .header("Content-Type", "application/json")
                .header("Accept", "application/json")
                .POST(BodyPublishers.ofByteArray(question))
                .build();
        HttpClient client = client(address.authorityPem());
        return sent(client, request)
                .exceptionallyCompose(failure -> closedByTheOtherSide(failure)
                        ? sentByAnother(client, address.authorityPem(), request)
                        : CompletableFuture.failedFuture(failure));
    }

    private CompletableFuture<Answer> sentByAnother(HttpClient used, String authorityPem, HttpRequest request) {
        trusting.remove(authorityPem, used);
        try {
            return sent(client(authorityPem), request);
        } catch (IOException unusable) {
            return CompletableFuture.failedFuture(unusable);
        }
    }

    private static CompletableFuture<Answer> sent(HttpClient client, HttpRequest request) {
        BoundedBody body = new BoundedBody();
        return client.sendAsync(request, BodyHandlers.ofByteArrayConsumer(body))
                .thenApply(answer -> new Answer(answer.statusCode(), body));
    }

    private static boolean closedByTheOtherSide(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof EOFException
                    || (cause instanceof SocketException && !(cause instanceof ConnectException))) {
                return true;
            }
        }
        return false;
    }

    private static Answer await(WebhookAddress address, CompletableFuture<Answer> coming) throws IOException {
        String target = "Post \"" + timed(address) + "\": ";
        try {
            return coming.get(address.timeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            coming.cancel(true);
            throw new IOException(target + "context deadline exceeded", late);
        } catch (ExecutionException failure) {
            throw new IOException(target + words(address.url(), failure), failure);
        } catch (InterruptedException ending) {
            coming.cancel(true);
            Thread.currentThread().interrupt();
            throw new IOException(target + "context canceled", ending);
        }
    }

    private static String words(URI url, ExecutionException failure) {
        Throwable cause = failure.getCause();
        if (cause instanceof ConnectException) {
            return "dial tcp " + url.getAuthority() + ": connect: connection refused";
        }
        return cause == null ? "unknown" : String.valueOf(cause.getMessage());
    }

    /** What the real server's client makes of a code without a Status. */
    private static String fault(int code, BoundedBody body) throws IOException {
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
                        ? quoted(body)
                        : "the server responded with the status code " + code + " but did not return more information";
        };
    }

    private static String quoted(BoundedBody body) throws IOException {
        String said = new String(body.bytes(), StandardCharsets.UTF_8);
        String shown = said.length() > SHOWN_OF_A_FAULT ? said.substring(0, SHOWN_OF_A_FAULT) : said;
        return "an error on the server (\"" + shown + "\") has prevented the request from succeeding";
    }

    private HttpClient client(String authorityPem) throws IOException {
        HttpClient known = trusting.get(authorityPem);
        if (known == null) {
            // One stream a connection: past the other side's limit of streams the JDK's client fails.
            HttpClient.Builder builder =
                    HttpClient.newBuilder().executor(threads).version(HttpClient.Version.HTTP_1_1);
            if (!authorityPem.isEmpty()) {
                builder.sslContext(context(authorityPem));
            }
            known = builder.build();
            trusting.put(authorityPem, known);
        }
        return known;
    }

    private static SSLContext context(String authorityPem) throws IOException {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int number = 0;
            for (Certificate each : CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(authorityPem.getBytes(StandardCharsets.UTF_8)))) {
                store.setCertificateEntry("authority-" + number++, each);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException unusable) {
            throw new IOException("unusable caBundle: " + unusable.getMessage(), unusable);
        }
    }

    /** Ends the threads and with them the calls under way. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
