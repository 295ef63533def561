package dev.berth.embedded.client.transport;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.embedded.client.object.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;

/** Reads the current context of a kubeconfig file. Users who log in by a program (exec, auth-provider) are refused. */
public final class Kubeconfig {
    private final Path file;
    private final JsonNode root;

    private Kubeconfig(Path file, JsonNode root) {
        this.file = file;
        this.root = root;
    }

    /** The access that the file's current context describes. */
    public static ServerAccess read(Path file) {
        try {
            return new Kubeconfig(file, new YAMLMapper().readTree(file.toFile())).access();
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "kubeconfig (%s) is no YAML: %s".formatted(file, e.getOriginalMessage()), e);
        } catch (IOException e) {
            throw new UncheckedIOException("kubeconfig (%s) cannot be read".formatted(file), e);
        }
    }

    private ServerAccess access() throws IOException {
        String current = Json.text(root, "current-context");
        JsonNode context = entry("contexts", "context", current);
        JsonNode cluster = entry("clusters", "cluster", Json.text(context, "cluster"));
        JsonNode user = entry("users", "user", Json.text(context, "user"));
        refusePrograms(user);
        return new ServerAccess(
                server(cluster),
                pem(cluster, "certificate-authority"),
                token(user),
                identity(user),
                Json.flag(cluster, "insecure-skip-tls-verify"));
    }

    private URI server(JsonNode cluster) {
        String text = Json.text(cluster, "server");
        try {
            return URI.create(text);
        } catch (IllegalArgumentException e) {
            throw refused("clusters[].cluster.server (%s) is no address".formatted(text));
        }
    }

    private JsonNode entry(String list, String content, String name) {
        for (JsonNode each : root.path(list)) {
            if (Json.text(each, "name").equals(name)) {
                return each.path(content);
            }
        }
        throw refused("%s has no entry named (%s)".formatted(list, name));
    }

    private void refusePrograms(JsonNode user) {
        for (String way : new String[] {"exec", "auth-provider"}) {
            if (user.has(way)) {
                throw refused("users[].user.%s is not supported; use a token or a client certificate".formatted(way));
            }
        }
    }

    private Optional<String> token(JsonNode user) throws IOException {
        if (user.hasNonNull("token")) {
            return Optional.of(Json.text(user, "token"));
        }
        if (user.hasNonNull("tokenFile")) {
            return Optional.of(
                    Files.readString(beside(Json.text(user, "tokenFile"))).strip());
        }
        return Optional.empty();
    }

    private Optional<ServerAccess.Identity> identity(JsonNode user) throws IOException {
        Optional<String> certificate = pem(user, "client-certificate");
        Optional<String> key = pem(user, "client-key");
        if (certificate.isPresent() != key.isPresent()) {
            throw refused("client-certificate and client-key of a user must be given together");
        }
        return certificate.map(chain -> new ServerAccess.Identity(chain, key.orElseThrow()));
    }

    private Optional<String> pem(JsonNode from, String field) throws IOException {
        if (from.hasNonNull(field + "-data")) {
            byte[] decoded = Base64.getMimeDecoder().decode(Json.text(from, field + "-data"));
            return Optional.of(new String(decoded, StandardCharsets.US_ASCII));
        }
        if (from.hasNonNull(field)) {
            return Optional.of(Files.readString(beside(Json.text(from, field))));
        }
        return Optional.empty();
    }

    /** Relative paths in a kubeconfig start at the folder it is in. */
    private Path beside(String path) {
        return file.toAbsolutePath().resolveSibling(path);
    }

    private IllegalArgumentException refused(String why) {
        return new IllegalArgumentException("kubeconfig (%s): %s".formatted(file, why));
    }
}
