package dev.berth.kubeclient.kubeconfig;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.kubeclient.pem.ClientConfigException;
import dev.berth.kubeclient.pem.TestIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KubeconfigTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final InstantSource clock = () -> now;

    @SuppressWarnings("NullAway.Init")
    private Path file;

    @BeforeEach
    void writeKubeconfig() {
        file = folder.resolve("config");
    }

    @Test
    void whenTheServerRejectsACredentialTheAdviceNamesItsFileAndTheRemedy() throws Exception {
        Path token = folder.resolve("token");
        Files.writeString(token, "first\n");

        assertThat(clientConfig(kubeconfig("", "tokenFile: token"))
                        .credentials()
                        .advice())
                .startsWith("The API server does not accept the credentials from kubeconfig (")
                .contains("users[0].user.tokenFile (" + token + ")")
                .endsWith("they are wrong or expired. Write a valid token there: Berth reads the file again");
        assertThat(clientConfig(kubeconfig("", "token: secret")).credentials().advice())
                .contains("users[0].user.token: they are wrong or expired")
                .endsWith("Write a valid one there and restart Berth")
                .doesNotContain("secret");
    }

    @Test
    void whenTheServerRejectsAClientCertificateTheAdviceNamesTheKubeconfigField() throws Exception {
        TestIdentity identity = TestIdentity.make(folder, "EC");
        Path client = folder.resolve("client.pem");
        Files.writeString(client, identity.certificatePem());
        Files.writeString(folder.resolve("key.pem"), identity.keyPem());
        String data =
                Base64.getEncoder().encodeToString(identity.certificatePem().getBytes(UTF_8));

        String inFile = "client-key: key.pem, client-certificate: client.pem";
        assertThat(clientConfig(kubeconfig("", inFile)).credentials().advice())
                .contains("users[0].user.client-certificate (%s): they are wrong or expired".formatted(client));
        // Both are there, and the data wins.
        assertThat(clientConfig(kubeconfig("", inFile + ", client-certificate-data: " + data))
                        .credentials()
                        .advice())
                .contains("users[0].user.client-certificate-data: they are wrong or expired");
    }

    @Test
    void aUserWithoutCredentialsIsAdvisedToAddSome() throws Exception {
        Credentials credentials = clientConfig(kubeconfig("", "")).credentials();
        assertThat(credentials.authorization()).isEmpty();
        assertThat(credentials.advice())
                .isEqualTo("kubeconfig (%s): the user has no credentials. Add a token or a client certificate"
                        .formatted(file));
    }

    @Test
    void theCurrentContextNamesServerUserAndNamespace() throws Exception {
        ClientConfig access = clientConfig("""
                current-context: b
                clusters:
                - {name: one, cluster: {server: "https://one:1"}}
                - {name: two, cluster: {server: "https://[::1]:6443/k8s/two/", insecure-skip-tls-verify: true}}
                users:
                - {name: me, user: {token: secret}}
                contexts:
                - {name: a, context: {cluster: one, user: me}}
                - {name: b, context: {cluster: two, user: me, namespace: here}}
                """);
        assertThat(access.endpoint().host()).isEqualTo("::1");
        assertThat(access.endpoint().port()).isEqualTo(6443);
        assertThat(access.basePath()).isEqualTo("/k8s/two");
        assertThat(access.namespace()).isEqualTo("here");
        assertThat(access.credentials().authorization()).contains("Bearer secret");
        ClientConfig other = Kubeconfig.read(file).clientConfig("a", clock);
        assertThat(other.endpoint().host()).isEqualTo("one");
        assertThat(other.namespace()).isEqualTo("default");
    }

    @Test
    void certificatesAreReadFromRelativeFilesOrFromInlineData() throws Exception {
        TestIdentity identity = TestIdentity.make(folder, "EC");
        Files.writeString(folder.resolve("ca.pem"), identity.certificatePem());
        Files.writeString(folder.resolve("key.pem"), identity.keyPem());
        String certificate =
                Base64.getEncoder().encodeToString(identity.certificatePem().getBytes(UTF_8));
        ClientConfig access = clientConfig(kubeconfig(
                "certificate-authority: ca.pem", "client-key: key.pem, client-certificate-data: " + certificate));
        assertThat(access.endpoint().tls().orElseThrow().context().isClient()).isTrue();
        assertThat(access.credentials().authorization()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"EC,EC", "RSA,RSA", "EC,RSA", "Ed25519,Ed25519"})
    void aKeyOfAnotherCertificateIsRejectedAndTheMessageNamesBoth(String own, String another) throws Exception {
        TestIdentity mine = TestIdentity.make(folder, own);
        TestIdentity other = TestIdentity.make(Files.createDirectory(folder.resolve("other")), another);
        Files.writeString(folder.resolve("client.pem"), mine.certificatePem());
        Files.writeString(folder.resolve("own.pem"), mine.keyPem());
        Files.writeString(folder.resolve("other.pem"), other.keyPem());
        clientConfig(kubeconfig("", "client-certificate: client.pem, client-key: own.pem"));
        assertRejected(
                kubeconfig("", "client-certificate: client.pem, client-key: other.pem"),
                "users[0].user.client-key (%s) is not the key of the first certificate in kubeconfig (%s): users[0].user.client-certificate (%s)"
                        .formatted(folder.resolve("other.pem"), file, folder.resolve("client.pem")));
    }

    @Test
    void aTokenFileIsReadAgainAfterAMinuteAndAfterARejection() throws Exception {
        Path token = folder.resolve("token");
        Files.writeString(token, "first\n");
        Credentials credentials =
                clientConfig(kubeconfig("", "tokenFile: token")).credentials();
        assertThat(credentials.authorization()).contains("Bearer first");
        Files.writeString(token, "second\n");
        assertThat(credentials.authorization()).contains("Bearer first");
        now = now.plus(Duration.ofMinutes(1));
        assertThat(credentials.authorization()).contains("Bearer second");
        Files.writeString(token, "third\n");
        credentials.onUnauthorized();
        assertThat(credentials.authorization()).contains("Bearer third");
        Files.delete(token);
        credentials.onUnauthorized();
        assertThat(credentials.authorization()).contains("Bearer third");
    }

    @Test
    void anExecPluginIsRunAgainBeforeItsTokenExpires() throws Exception {
        Path plugin = folder.resolve("plugin.sh");
        Files.writeString(plugin, """
                #!/bin/sh
                echo x >> "$COUNTER"
                n=$(wc -l < "$COUNTER" | tr -d ' ')
                echo '{"kind":"ExecCredential","status":{"token":"'$1-$n'","expirationTimestamp":"2026-01-01T01:00:00Z"}}'
                """);
        assertThat(plugin.toFile().setExecutable(true)).isTrue();
        String exec = "exec: {apiVersion: client.authentication.k8s.io/v1, command: ./plugin.sh, args: [tok],"
                + " env: [{name: COUNTER, value: \"" + folder.resolve("count") + "\"}]}";
        try (Credentials credentials = clientConfig(kubeconfig("", exec)).credentials()) {
            assertThat(credentials.authorization()).contains("Bearer tok-1");
            now = now.plus(Duration.ofMinutes(59)).plusSeconds(1);
            while (credentials.authorization().equals(Optional.of("Bearer tok-1"))) {
                Thread.onSpinWait();
            }
            assertThat(credentials.authorization().orElseThrow()).startsWith("Bearer tok-");
        }
    }

    @Test
    void anUnreadableKubeconfigIsRejectedWithItsFileName() throws Exception {
        assertThatThrownBy(() -> Kubeconfig.read(folder.resolve("none")))
                .isInstanceOf(ClientConfigException.class)
                .hasMessageContaining("none) cannot be read");
        assertRejected("a: [", "is not YAML: line 1, column 5: ");
        assertRejected("just text", "has no configuration");
        assertRejected("clusters: []", "has no current-context");
        assertRejected(
                "current-context: x\ncontexts: [{name: y, context: {}}]",
                "current-context (x) is not in contexts, which has [y]");
        assertRejected(
                "current-context: x\ncontexts: [{name: x, context: {cluster: c}}]\nclusters: [{name: d}]",
                "contexts[0].context.cluster (c) is not in clusters, which has [d]");
        assertRejected(
                "current-context: x\ncontexts: [{name: x, context: {user: u}}]", "has no contexts[0].context.cluster");
    }

    @Test
    void anInvalidFieldIsRejectedWithItsPath() throws Exception {
        assertRejected(
                kubeconfig("certificate-authority: gone.pem", ""), "clusters[0].cluster.certificate-authority (");
        assertRejected(
                kubeconfig("certificate-authority-data: '*'", ""), "certificate-authority-data has no certificate");
        assertRejected(
                kubeconfig("insecure-skip-tls-verify: maybe", ""),
                "insecure-skip-tls-verify (maybe) must be true or false");
        assertRejected(
                kubeconfig("insecure-skip-tls-verify: true, certificate-authority: x", ""),
                "must not be set together with certificate-authority");
        assertRejected(
                kubeconfig("proxy-url: http://p", ""), "clusters[0].cluster.proxy-url (http://p) is not supported");
        assertRejected(kubeconfig("", "username: me, password: x"), "users[0].user.username (me) is not supported");
        assertRejected(kubeconfig("", "auth-provider: {name: gcp}"), "auth-provider");
        assertRejected(
                kubeconfig("", "client-key: x"), "client-key (given) needs both client-certificate and client-key");
        assertRejected(kubeconfig("", "tokenFile: nowhere"), "nowhere) cannot be read");
        assertRejected(kubeconfig("", "token: {a: b}"), "must be a string");
        assertRejected(
                kubeconfig("", "exec: {apiVersion: v0, command: x}"),
                "exec.apiVersion (v0) must be client.authentication");
        assertRejected(
                kubeconfig("", "exec: {apiVersion: client.authentication.k8s.io/v1, command: no-such-program-here}"),
                "the exec plugin (no-such-program-here) cannot be run");
        assertRejected(
                kubeconfig("", "exec: {apiVersion: client.authentication.k8s.io/v1, command: 'false'}"), "exit code 1");
        assertRejected(
                kubeconfig("", "exec: {apiVersion: client.authentication.k8s.io/v1, command: echo, args: ['{}']}"),
                "printed no status.token");
    }

    @Test
    void aServerMustBeReachedByHttps() throws Exception {
        String text = kubeconfig("", "").replace("https://here:6443", "%s");
        assertRejected(
                text.formatted("http://here"), "clusters[0].cluster.server (http://here) must begin with https://");
        assertRejected(text.formatted("https:///x"), "must begin with https:// and have a host");
        assertRejected(text.formatted("https://a b"), "must be an address such as");
    }

    @Test
    void insideAPodTheMountedServiceAccountIsUsed() throws Exception {
        TestIdentity identity = TestIdentity.make(folder, "EC");
        Files.writeString(folder.resolve("ca.crt"), identity.certificatePem());
        Files.writeString(folder.resolve("token"), "mounted");
        Files.writeString(folder.resolve("namespace"), "berth-system\n");
        Map<String, String> environment =
                Map.of("KUBERNETES_SERVICE_HOST", "fd00::1", "KUBERNETES_SERVICE_PORT", "443");
        ClientConfig access = InClusterConfig.load(environment, folder, clock);
        assertThat(access.endpoint()).hasToString("https://[fd00::1]");
        assertThat(access.namespace()).isEqualTo("berth-system");
        assertThat(access.credentials().authorization()).contains("Bearer mounted");
        assertThatThrownBy(() -> InClusterConfig.load(Map.of(), folder, clock))
                .isInstanceOf(ClientConfigException.class)
                .hasMessageContaining("KUBERNETES_SERVICE_HOST is not set");
        Files.writeString(folder.resolve("token"), " ");
        assertThatThrownBy(() -> InClusterConfig.load(environment, folder, clock))
                .hasMessageContaining("is empty");
    }

    private String kubeconfig(String cluster, String user) {
        return """
                current-context: c
                clusters: [{name: k, cluster: {server: "https://here:6443", %s}}]
                users: [{name: u, user: {%s}}]
                contexts: [{name: c, context: {cluster: k, user: u}}]
                """.formatted(cluster, user);
    }

    private ClientConfig clientConfig(String text) throws IOException {
        Files.writeString(file, text);
        return Kubeconfig.read(file).clientConfig(clock);
    }

    private void assertRejected(String text, String words) throws IOException {
        Files.writeString(file, text);
        assertThatThrownBy(() -> Kubeconfig.read(file).clientConfig(clock))
                .isInstanceOf(ClientConfigException.class)
                .hasMessageStartingWith("kubeconfig (%s)".formatted(file))
                .hasMessageContaining(words);
    }
}
