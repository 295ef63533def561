package dev.berth.sandbox.client.transport;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.sandbox.client.unstructured.JsonFields;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;

/** Reads the current context of a kubeconfig file. Users who log in by a program (exec, auth-provider) are refused. */
public final class KubeconfigReader {
    private final Path file;
    private final JsonNode root;

    private KubeconfigReader(Path file, JsonNode root) {
        this.file = file;
        this.root = root;
    }

    /** The access that the file's current context describes. */
    public static RestConfig read(Path file) {
        try {
            return new KubeconfigReader(file, new YAMLMapper().readTree(file.toFile())).access();
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "kubeconfig (%s) is no YAML: %s".formatted(file, e.getOriginalMessage()), e);
        } catch (IOException e) {
            throw new UncheckedIOException("kubeconfig (%s) cannot be read".formatted(file), e);
        }
    }

    private RestConfig access() throws IOException {
        String current = JsonFields.stringValue(root, "current-context");
        JsonNode context = entry("contexts", "context", current);
        JsonNode cluster = entry("clusters", "cluster", JsonFields.stringValue(context, "cluster"));
        JsonNode user = entry("users", "user", JsonFields.stringValue(context, "user"));
        rejectCredentialPlugins(user);
        return new RestConfig(
                server(cluster),
                pem(cluster, "certificate-authority"),
                token(user),
                clientCertificate(user),
                JsonFields.booleanValue(cluster, "insecure-skip-tls-verify"));
    }

    private URI server(JsonNode cluster) {
        String text = JsonFields.stringValue(cluster, "server");
        try {
            return URI.create(text);
        } catch (IllegalArgumentException e) {
            throw invalid("clusters[].cluster.server (%s) is no address".formatted(text));
        }
    }

    private JsonNode entry(String list, String content, String name) {
        for (JsonNode each : root.path(list)) {
            if (JsonFields.stringValue(each, "name").equals(name)) {
                return each.path(content);
            }
        }
        throw invalid("%s has no entry named (%s)".formatted(list, name));
    }

    private void rejectCredentialPlugins(JsonNode user) {
        for (String way : new String[] {"exec", "auth-provider"}) {
            if (user.has(way)) {
                throw invalid("users[].user.%s is not supported; use a token or a client certificate".formatted(way));
            }
        }
    }

    private Optional<String> token(JsonNode user) throws IOException {
        if (user.hasNonNull("token")) {
            return Optional.of(JsonFields.stringValue(user, "token"));
        }
        if (user.hasNonNull("tokenFile")) {
            return Optional.of(Files.readString(resolvePath(JsonFields.stringValue(user, "tokenFile")))
                    .strip());
        }
        return Optional.empty();
    }

    private Optional<RestConfig.ClientCertificate> clientCertificate(JsonNode user) throws IOException {
        Optional<String> certificate = pem(user, "client-certificate");
        Optional<String> key = pem(user, "client-key");
        if (certificate.isPresent() != key.isPresent()) {
            throw invalid("client-certificate and client-key of a user must be given together");
        }
        return certificate.map(chain -> new RestConfig.ClientCertificate(chain, key.orElseThrow()));
    }

    private Optional<String> pem(JsonNode from, String field) throws IOException {
        if (from.hasNonNull(field + "-data")) {
            byte[] decoded = Base64.getMimeDecoder().decode(JsonFields.stringValue(from, field + "-data"));
            return Optional.of(new String(decoded, StandardCharsets.US_ASCII));
        }
        if (from.hasNonNull(field)) {
            return Optional.of(Files.readString(resolvePath(JsonFields.stringValue(from, field))));
        }
        return Optional.empty();
    }

    /** Relative paths in a kubeconfig start at the folder it is in. */
    private Path resolvePath(String path) {
        return file.toAbsolutePath().resolveSibling(path);
    }

    private IllegalArgumentException invalid(String why) {
        return new IllegalArgumentException("kubeconfig (%s): %s".formatted(file, why));
    }
}
