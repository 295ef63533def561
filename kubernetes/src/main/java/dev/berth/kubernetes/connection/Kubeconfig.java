package dev.berth.kubernetes.connection;

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
 * Access by a kubeconfig file: a context names a cluster, a user and a namespace. Certificates and tokens that are
 * files are read again when they are needed. What Berth cannot do is refused by name rather than left out.
 */
public final class Kubeconfig {
    private final Path file;
    private final Section root;

    private Kubeconfig(Path file, Section root) {
        this.file = file;
        this.root = root;
    }

    public static Kubeconfig read(Path file) throws UnusableAccess {
        Object tree;
        try {
            tree = new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(file));
        } catch (YAMLException malformed) {
            throw new UnusableAccess(
                    "kubeconfig (%s) is not YAML: %s".formatted(file, YamlProblem.words(malformed)), malformed);
        } catch (IOException unreadable) {
            throw new UnusableAccess(
                    "kubeconfig (%s) cannot be read: %s".formatted(file, Material.why(unreadable)), unreadable);
        }
        if (!(tree instanceof Map<?, ?> map)) {
            throw new UnusableAccess("kubeconfig (%s) holds no configuration".formatted(file));
        }
        return new Kubeconfig(file, new Section(file, "", map));
    }

    /** Access by the file's current context. */
    public ClusterAccess access(InstantSource clock) throws UnusableAccess {
        Optional<String> current = root.text("current-context").filter(name -> !name.isBlank());
        if (current.isEmpty()) {
            throw new UnusableAccess("kubeconfig (%s) has no current-context. Maybe set one: kubectl config use-context"
                    .formatted(file));
        }
        return access(current.get(), clock);
    }

    public ClusterAccess access(String contextName, InstantSource clock) throws UnusableAccess {
        Section context = root.named("contexts", contextName, "current-context").section("context");
        Section cluster = root.named("clusters", context.required("cluster"), context.field("cluster"))
                .section("cluster");
        Section user = root.named("users", context.required("user"), context.field("user"))
                .section("user");
        cluster.refuse("proxy-url", "Berth connects directly");
        user.refuse("username", "API servers know no passwords any more: use a token or a client certificate");
        user.refuse("auth-provider", "it was replaced by exec plugins: use exec");
        user.refuse("as", "Berth does not impersonate");
        return ClusterAccess.of(
                server(cluster),
                tls(cluster, user),
                credentials(user, clock),
                context.text("namespace").orElse("default"));
    }

    private URI server(Section cluster) throws UnusableAccess {
        String server = cluster.required("server");
        try {
            URI uri = new URI(server);
            if ("https".equals(uri.getScheme()) && uri.getHost() != null) {
                return uri;
            }
        } catch (URISyntaxException malformed) {
            throw cluster.bad("server", server, "must be an address such as https://10.0.0.1:6443");
        }
        throw cluster.bad("server", server, "must begin with https:// and name a host");
    }

    private TlsMaterial tls(Section cluster, Section user) throws UnusableAccess {
        Optional<Material> authority = cluster.material("certificate-authority");
        boolean insecure = cluster.flag("insecure-skip-tls-verify");
        if (insecure && authority.isPresent()) {
            throw cluster.bad("insecure-skip-tls-verify", "true", "does not go with a certificate-authority");
        }
        Optional<Material> certificate = user.material("client-certificate");
        Optional<Material> key = user.material("client-key");
        if (certificate.isPresent() != key.isPresent()) {
            String given = certificate.isPresent() ? "client-certificate" : "client-key";
            throw user.bad(given, "given", "must come with its other half, certificate and key");
        }
        TlsMaterial tls = new TlsMaterial(
                authority,
                certificate.map(present -> new TlsMaterial.Identity(present, key.orElseThrow())),
                insecure,
                cluster.text("tls-server-name"));
        // What cannot be read is said now, not at the first connection.
        tls.context();
        return tls;
    }

    private Credentials credentials(Section user, InstantSource clock) throws UnusableAccess {
        Optional<Material> tokenFile = user.material("tokenFile");
        if (tokenFile.isPresent()) {
            return new TokenFile(tokenFile.get(), clock);
        }
        Optional<String> token = user.text("token").filter(value -> !value.isBlank());
        if (token.isPresent()) {
            return Credentials.fixed(Optional.of(Credentials.bearer(token.get())), user.label("token"));
        }
        if (user.has("exec")) {
            return ExecCredentials.start(ExecPlugin.of(user.section("exec"), file), clock);
        }
        Optional<Material> certificate = user.material("client-certificate");
        return certificate.isPresent()
                ? Credentials.fixed(Optional.empty(), certificate.get().label())
                : Credentials.none("kubeconfig (%s): the user has no credentials. Add a token or a client certificate"
                        .formatted(file));
    }
}
