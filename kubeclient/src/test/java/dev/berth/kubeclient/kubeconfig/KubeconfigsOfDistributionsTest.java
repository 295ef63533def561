package dev.berth.kubeclient.kubeconfig;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.kubeclient.pem.ClientConfigException;
import dev.berth.kubeclient.pem.Pem;
import dev.berth.kubeclient.pem.TestIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kubeconfig files as kind, kubeadm, k3s, {@code aws eks update-kubeconfig} and {@code gcloud container clusters
 * get-credentials} write them. The certificates and keys are made here, in the form that each tool uses.
 */
class KubeconfigsOfDistributionsTest {
    private static final Path FILES = Path.of("src/test/resources/dev/berth/kubeclient/kubeconfig");
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-11-17T23:00:00Z"));
    /** What PKCS#8 puts before an RSA key. */
    private static final int RSA_PREFIX = 26;

    @TempDir
    private Path folder = Path.of("");

    @Test
    void kindGivesALocalPortAndAClientCertificateWithAnRsaKey() throws Exception {
        ClientConfig access = read("kind.yaml", TestIdentity.make(folder, "RSA"));
        assertThat(access.endpoint()).hasToString("https://127.0.0.1:39487");
        assertClientCertificate(access);
    }

    @Test
    void kubeadmGivesTheControlPlaneAndAClientCertificateWithAnRsaKey() throws Exception {
        ClientConfig access = read("kubeadm.yaml", TestIdentity.make(folder, "RSA"));
        assertThat(access.endpoint()).hasToString("https://10.0.0.10:6443");
        assertClientCertificate(access);
    }

    @Test
    void k3sGivesALocalPortAndAClientCertificateWithAnEcKey() throws Exception {
        ClientConfig access = read("k3s.yaml", TestIdentity.make(folder, "EC"));
        assertThat(access.endpoint()).hasToString("https://127.0.0.1:6443");
        assertClientCertificate(access);
    }

    @Test
    void eksRunsAwsWithTheProfileAndUsesItsToken() throws Exception {
        Path aws = plugin("aws", """
                echo "$AWS_PROFILE: $*" > '%s'
                echo '{"kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1beta1", "spec": {},'
                echo ' "status": {"expirationTimestamp": "2026-11-17T23:14:00Z", "token": "k8s-aws-v1.aHR0cHM6Ly9z"}}'
                """.formatted(folder.resolve("arguments")));
        Path file = write("eks.yaml", TestIdentity.make(folder, "EC"), "command: aws", "command: " + aws);
        ClientConfig access = Kubeconfig.read(file).clientConfig(CLOCK);
        try (Credentials credentials = access.credentials()) {
            assertThat(credentials.authorization()).contains("Bearer k8s-aws-v1.aHR0cHM6Ly9z");
        }
        assertThat(access.endpoint())
                .hasToString("https://0123456789ABCDEF0123456789ABCDEF.gr7.eu-central-1.eks.amazonaws.com");
        assertThat(access.endpoint().tls().orElseThrow().context().isClient()).isTrue();
        assertThat(folder.resolve("arguments"))
                .hasContent("operator: --region eu-central-1 eks get-token --cluster-name prod --output json");
    }

    @Test
    void gkeTellsItsPluginOfTheClusterAndUsesItsToken() throws Exception {
        Path gke = plugin("gke-gcloud-auth-plugin", """
                printf '%%s' "$KUBERNETES_EXEC_INFO" > '%s'
                echo '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1",'
                echo '"spec":{"interactive":false},'
                echo '"status":{"expirationTimestamp":"2026-11-17T23:59:59Z","token":"ya29.a0Af"}}'
                """.formatted(folder.resolve("info")));
        TestIdentity authority = TestIdentity.make(folder, "EC");
        Path file = write("gke.yaml", authority, "command: gke-gcloud-auth-plugin", "command: " + gke);
        ClientConfig access = Kubeconfig.read(file).clientConfig(CLOCK);
        try (Credentials credentials = access.credentials()) {
            assertThat(credentials.authorization()).contains("Bearer ya29.a0Af");
        }
        assertThat(access.endpoint()).hasToString("https://203.0.113.7");
        assertThat(folder.resolve("info"))
                .hasContent("{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1beta1\","
                        + "\"spec\":{\"interactive\":false,\"cluster\":{\"server\":\"https://203.0.113.7\","
                        + "\"certificate-authority-data\":\"%s\"}}}".formatted(base64(authority.certificatePem())));
    }

    /** The extension is meant for the plugin: client-go passes it on as it is. */
    @Test
    void aPluginGetsTheExtensionOfItsCluster() throws Exception {
        Path plugin = plugin("login", """
                printf '%%s' "$KUBERNETES_EXEC_INFO" > '%s'
                echo '{"status":{"token":"t"}}'
                """.formatted(folder.resolve("info")));
        Path file = Files.writeString(folder.resolve("config"), """
                current-context: c
                clusters:
                - name: k
                  cluster:
                    server: https://here:6443
                    insecure-skip-tls-verify: true
                    tls-server-name: api
                    extensions:
                    - name: client.authentication.k8s.io/exec
                      extension: {audience: abc, tries: 3, verbose: true, scopes: [a, b]}
                users:
                - name: u
                  user:
                    exec: {apiVersion: client.authentication.k8s.io/v1, command: %s, provideClusterInfo: true}
                contexts: [{name: c, context: {cluster: k, user: u}}]
                """.formatted(plugin));
        Kubeconfig.read(file).clientConfig(CLOCK).credentials().close();
        assertThat(folder.resolve("info"))
                .content()
                .endsWith("\"cluster\":{\"server\":\"https://here:6443\",\"tls-server-name\":\"api\","
                        + "\"insecure-skip-tls-verify\":true,\"config\":{\"audience\":\"abc\",\"tries\":3,"
                        + "\"verbose\":true,\"scopes\":[\"a\",\"b\"]}}}}");
    }

    @Test
    void aPluginThatIsNotInstalledIsReportedWithItsName() throws Exception {
        Path file = write(
                "gke.yaml",
                TestIdentity.make(folder, "EC"),
                "command: gke-gcloud-auth-plugin",
                "command: no-such-auth-plugin");
        assertThatThrownBy(() -> Kubeconfig.read(file).clientConfig(CLOCK))
                .isInstanceOf(ClientConfigException.class)
                .hasMessageContaining("the exec plugin (no-such-auth-plugin) cannot be run");
    }

    private static void assertClientCertificate(ClientConfig access) throws IOException {
        assertThat(access.basePath()).isEmpty();
        assertThat(access.namespace()).isEqualTo("default");
        assertThat(access.credentials().authorization()).isEmpty();
        assertThat(access.credentials().advice()).contains("users[0].user.client-certificate-data");
        assertThat(access.endpoint().tls().orElseThrow().context().isClient()).isTrue();
    }

    private ClientConfig read(String name, TestIdentity identity) throws IOException {
        return Kubeconfig.read(write(name, identity, "", "")).clientConfig(CLOCK);
    }

    private Path write(String name, TestIdentity identity, String original, String replacement) throws IOException {
        String text = Files.readString(FILES.resolve(name));
        assertThat(text).contains(original);
        return Files.writeString(
                folder.resolve(name),
                text.replace("${CA_DATA}", base64(identity.certificatePem()))
                        .replace("${CLIENT_CERTIFICATE_DATA}", base64(identity.certificatePem()))
                        .replace("${CLIENT_KEY_DATA}", base64(keyPem(identity)))
                        .replace(original.isEmpty() ? "\0" : original, replacement));
    }

    /** kind and kubeadm write RSA keys in PKCS#1. */
    private static String keyPem(TestIdentity identity) {
        byte[] pkcs8 = identity.key().getEncoded();
        return identity.key().getAlgorithm().equals("RSA")
                ? Pem.encode("RSA PRIVATE KEY", Arrays.copyOfRange(pkcs8, RSA_PREFIX, pkcs8.length))
                : identity.keyPem();
    }

    private static String base64(String pem) {
        return Base64.getEncoder().encodeToString(pem.getBytes(UTF_8));
    }

    private Path plugin(String name, String body) throws IOException {
        Path plugin = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + body);
        assertThat(plugin.toFile().setExecutable(true)).isTrue();
        return plugin;
    }
}
