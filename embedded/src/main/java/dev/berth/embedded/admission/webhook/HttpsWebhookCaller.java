package dev.berth.embedded.admission.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.rest.kind.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/** Calls webhooks over HTTPS on the caller's thread. Has no threads of its own; connections are kept alive by the JDK. */
public final class HttpsWebhookCaller implements WebhookCaller {

    private static final int LARGEST_ANSWER = 3 * 1024 * 1024;

    private final Map<String, SSLSocketFactory> trusting = new ConcurrentHashMap<>();

    @Override
    public ObjectNode call(WebhookAddress address, ObjectNode review) throws IOException {
        String target = "Post \"" + address.url() + "\": ";
        try {
            return exchange(address, Json.write(review));
        } catch (SocketTimeoutException late) {
            throw new IOException(target + "context deadline exceeded", late);
        } catch (GeneralSecurityException unusable) {
            throw new IOException(target + "unusable caBundle: " + unusable.getMessage(), unusable);
        } catch (IOException failure) {
            throw new IOException(target + failure.getMessage(), failure);
        }
    }

    private ObjectNode exchange(WebhookAddress address, byte[] body) throws IOException, GeneralSecurityException {
        if (!(address.url().toURL().openConnection() instanceof HttpsURLConnection connection)) {
            throw new IOException("only https is spoken to webhooks");
        }
        int millis = Math.toIntExact(Math.max(1, address.timeout().toMillis()));
        connection.setConnectTimeout(millis);
        connection.setReadTimeout(millis);
        connection.setSSLSocketFactory(factory(address.authorityPem()));
        connection.setRequestMethod("POST");
        connection.setRequestProperty("Content-Type", "application/json");
        connection.setRequestProperty("Accept", "application/json");
        connection.setDoOutput(true);
        connection.setFixedLengthStreamingMode(body.length);
        try (OutputStream out = connection.getOutputStream()) {
            out.write(body);
        }
        int code = connection.getResponseCode();
        if (code != 200) {
            throw new IOException("the server answered with the status code " + code);
        }
        try (InputStream in = connection.getInputStream()) {
            if (Json.read(in.readNBytes(LARGEST_ANSWER)) instanceof ObjectNode answer) {
                return answer;
            }
        }
        throw new IOException("the answer is no JSON object");
    }

    private SSLSocketFactory factory(String authorityPem) throws IOException, GeneralSecurityException {
        SSLSocketFactory known = trusting.get(authorityPem);
        if (known == null) {
            known = authorityPem.isEmpty() ? HttpsURLConnection.getDefaultSSLSocketFactory() : newFactory(authorityPem);
            trusting.put(authorityPem, known);
        }
        return known;
    }

    private static SSLSocketFactory newFactory(String authorityPem) throws IOException, GeneralSecurityException {
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
        return context.getSocketFactory();
    }
}
