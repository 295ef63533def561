package dev.berth.kubeclient.kubeconfig;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.berth.kubeclient.pem.ClientConfigException;
import dev.berth.kubeclient.pem.FileOrInlineData;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The {@code ExecCredential} objects that a client and an exec plugin exchange. */
final class ExecCredentialJson {
    /** The environment variable in which a plugin finds the object that the client writes. */
    static final String VARIABLE = "KUBERNETES_EXEC_INFO";

    /** A cluster's extension of this name is meant for its plugin. */
    private static final String EXTENSION = "client.authentication.k8s.io/exec";

    private static final JsonFactory FACTORY = new JsonFactory();

    private ExecCredentialJson() {}

    /** What the plugin printed; a missing value is empty. */
    record Status(String token, String expirationTimestamp) {}

    /**
     * What the plugin is told.
     *
     * @param cluster given if the kubeconfig says {@code provideClusterInfo}
     */
    static String write(String apiVersion, Optional<KubeconfigSection> cluster) throws ClientConfigException {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = FACTORY.createGenerator(text)) {
            out.writeStartObject();
            out.writeStringField("kind", "ExecCredential");
            out.writeStringField("apiVersion", apiVersion);
            out.writeObjectFieldStart("spec");
            out.writeBooleanField("interactive", false);
            if (cluster.isPresent()) {
                writeCluster(out, cluster.get());
            }
            out.writeEndObject();
            out.writeEndObject();
        } catch (IOException failed) {
            throw failed instanceof ClientConfigException configError
                    ? configError
                    : new ClientConfigException("the exec plugin cannot be told of its cluster", failed);
        }
        return text.toString();
    }

    private static void writeCluster(JsonGenerator out, KubeconfigSection cluster) throws IOException {
        out.writeObjectFieldStart("cluster");
        out.writeStringField("server", cluster.required("server"));
        Optional<String> serverName = cluster.text("tls-server-name");
        if (serverName.isPresent()) {
            out.writeStringField("tls-server-name", serverName.get());
        }
        if (cluster.flag("insecure-skip-tls-verify")) {
            out.writeBooleanField("insecure-skip-tls-verify", true);
        }
        Optional<FileOrInlineData> authority = cluster.fileOrInlineData("certificate-authority");
        if (authority.isPresent()) {
            out.writeStringField(
                    "certificate-authority-data",
                    Base64.getEncoder().encodeToString(authority.get().bytes()));
        }
        for (KubeconfigSection extension : cluster.sections("extensions")) {
            Optional<Object> content = extension.value("extension");
            if (extension.text("name").orElse("").equals(EXTENSION) && content.isPresent()) {
                out.writeFieldName("config");
                writeValue(out, content.get());
            }
        }
        out.writeEndObject();
    }

    private static void writeValue(JsonGenerator out, Object value) throws IOException {
        if (value instanceof Map<?, ?> map) {
            out.writeStartObject();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                out.writeFieldName(String.valueOf(entry.getKey()));
                writeValue(out, entry.getValue());
            }
            out.writeEndObject();
        } else if (value instanceof List<?> list) {
            out.writeStartArray();
            for (Object element : list) {
                writeValue(out, element);
            }
            out.writeEndArray();
        } else if (value instanceof Boolean flag) {
            out.writeBoolean(flag);
        } else if (value instanceof Number number) {
            out.writeNumber(number.toString());
        } else {
            out.writeString(String.valueOf(value));
        }
    }

    /**
     * Reads what the plugin printed.
     *
     * @throws IOException if it is not a JSON object
     */
    static Status readStatus(String json) throws IOException {
        try (JsonParser in = FACTORY.createParser(json)) {
            if (in.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("malformed JSON: not an object");
            }
            String token = "";
            String expires = "";
            while (in.nextToken() != JsonToken.END_OBJECT) {
                boolean status = in.currentName().equals("status") && in.nextToken() == JsonToken.START_OBJECT;
                while (status && in.nextToken() != JsonToken.END_OBJECT) {
                    String field = in.currentName();
                    boolean text = in.nextToken() == JsonToken.VALUE_STRING;
                    if (text && field.equals("token")) {
                        token = in.getText();
                    } else if (text && field.equals("expirationTimestamp")) {
                        expires = in.getText();
                    } else {
                        in.skipChildren();
                    }
                }
                if (!status) {
                    skipValue(in);
                }
            }
            return new Status(token, expires);
        } catch (JsonProcessingException malformed) {
            throw new IOException("malformed JSON: " + malformed.getOriginalMessage(), malformed);
        }
    }

    /** Skips the value of the current field, whose name or value is the current token. */
    private static void skipValue(JsonParser in) throws IOException {
        if (in.currentToken() == JsonToken.FIELD_NAME) {
            in.nextToken();
        }
        in.skipChildren();
    }
}
