package dev.berth.kubeclient.kubeconfig;

import dev.berth.kubeclient.pem.ClientConfigException;
import dev.berth.kubeclient.pem.FileOrInlineData;
import dev.berth.kubeclient.tls.TlsClientConfig;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * Access by a kubeconfig file: a context names a cluster, a user and a namespace. Certificate and token files are read
 * again when they are needed. Unsupported fields are rejected by name instead of being ignored.
 */
public final class Kubeconfig {
    private final Path file;
    private final KubeconfigSection root;

    private Kubeconfig(Path file, KubeconfigSection root) {
        this.file = file;
        this.root = root;
    }

    public static Kubeconfig read(Path file) throws ClientConfigException {
        Object tree;
        try {
            tree = new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(file));
        } catch (YAMLException malformed) {
            throw new ClientConfigException(
                    "kubeconfig (%s) is not YAML: %s".formatted(file, YamlErrors.message(malformed)), malformed);
        } catch (IOException unreadable) {
            throw new ClientConfigException(
                    "kubeconfig (%s) cannot be read: %s".formatted(file, FileOrInlineData.reasonOf(unreadable)),
                    unreadable);
        }
        if (!(tree instanceof Map<?, ?> map)) {
            throw new ClientConfigException("kubeconfig (%s) has no configuration".formatted(file));
        }
        return new Kubeconfig(file, new KubeconfigSection(file, "", map));
    }

    /** Access by the file's current context. */
    public ClientConfig clientConfig(InstantSource clock) throws ClientConfigException {
        Optional<String> current = root.text("current-context").filter(name -> !name.isBlank());
        if (current.isEmpty()) {
            throw new ClientConfigException(
                    "kubeconfig (%s) has no current-context. Maybe set one: kubectl config use-context"
                            .formatted(file));
        }
        return clientConfig(current.get(), clock);
    }

    public ClientConfig clientConfig(String contextName, InstantSource clock) throws ClientConfigException {
        KubeconfigSection context =
                root.findByName("contexts", contextName, "current-context").section("context");
        KubeconfigSection cluster = root.findByName(
                        "clusters", context.required("cluster"), context.fieldPath("cluster"))
                .section("cluster");
        KubeconfigSection user = root.findByName("users", context.required("user"), context.fieldPath("user"))
                .section("user");
        cluster.rejectUnsupported("proxy-url", "Berth connects directly");
        user.rejectUnsupported(
                "username", "API servers no longer accept passwords: use a token or a client certificate");
        user.rejectUnsupported("auth-provider", "it was replaced by exec plugins: use exec");
        user.rejectUnsupported("as", "Berth does not impersonate");
        return ClientConfig.of(
                server(cluster),
                tls(cluster, user),
                credentials(cluster, user, clock),
                context.text("namespace").orElse("default"));
    }

    private URI server(KubeconfigSection cluster) throws ClientConfigException {
        String server = cluster.required("server");
        try {
            URI uri = new URI(server);
            if ("https".equals(uri.getScheme()) && uri.getHost() != null) {
                return uri;
            }
        } catch (URISyntaxException malformed) {
            throw cluster.invalid("server", server, "must be an address such as https://10.0.0.1:6443");
        }
        throw cluster.invalid("server", server, "must begin with https:// and have a host");
    }

    private TlsClientConfig tls(KubeconfigSection cluster, KubeconfigSection user) throws ClientConfigException {
        Optional<FileOrInlineData> authority = cluster.fileOrInlineData("certificate-authority");
        boolean insecure = cluster.flag("insecure-skip-tls-verify");
        if (insecure && authority.isPresent()) {
            throw cluster.invalid(
                    "insecure-skip-tls-verify", "true", "must not be set together with certificate-authority");
        }
        Optional<FileOrInlineData> certificate = user.fileOrInlineData("client-certificate");
        Optional<FileOrInlineData> key = user.fileOrInlineData("client-key");
        if (certificate.isPresent() != key.isPresent()) {
            String given = certificate.isPresent() ? "client-certificate" : "client-key";
            throw user.invalid(given, "given", "needs both client-certificate and client-key");
        }
        TlsClientConfig tls = new TlsClientConfig(
                authority,
                certificate.map(present -> new TlsClientConfig.ClientCertificate(present, key.orElseThrow())),
                insecure,
                cluster.text("tls-server-name"));
        // Unreadable files are reported now, not at the first connection.
        tls.context();
        return tls;
    }

    private Credentials credentials(KubeconfigSection cluster, KubeconfigSection user, InstantSource clock)
            throws ClientConfigException {
        Optional<FileOrInlineData> tokenFile = user.fileOrInlineData("tokenFile");
        if (tokenFile.isPresent()) {
            return new TokenFileCredentials(tokenFile.get(), clock);
        }
        Optional<String> token = user.text("token").filter(value -> !value.isBlank());
        if (token.isPresent()) {
            return Credentials.fixed(Optional.of(Credentials.bearerHeader(token.get())), user.describe("token"));
        }
        if (user.has("exec")) {
            return ExecCredentials.start(ExecPlugin.parse(user.section("exec"), cluster, file), clock);
        }
        Optional<FileOrInlineData> certificate = user.fileOrInlineData("client-certificate");
        return certificate.isPresent()
                ? Credentials.fixed(Optional.empty(), certificate.get().description())
                : Credentials.none("kubeconfig (%s): the user has no credentials. Add a token or a client certificate"
                        .formatted(file));
    }
}
