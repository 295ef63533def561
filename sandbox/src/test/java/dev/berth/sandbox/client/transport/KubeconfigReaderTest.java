package dev.berth.sandbox.client.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubeconfigReaderTest {
    @TempDir
    Path folder;

    private Path write(String cluster, String user) throws IOException {
        return Files.writeString(folder.resolve("config"), """
                apiVersion: v1
                kind: Config
                current-context: here
                contexts:
                - name: elsewhere
                  context: {cluster: c2, user: u2}
                - name: here
                  context: {cluster: c, user: u}
                clusters:
                - name: c
                  cluster: {server: "https://10.0.0.1:6443"%s}
                users:
                - name: u
                  user: {%s}
                """.formatted(cluster, user));
    }

    @Test
    void theCurrentContextGivesServerAndCredentials() throws IOException {
        RestConfig access = KubeconfigReader.read(write(", certificate-authority-data: aGVsbG8=", "token: secret"));
        assertThat(access.server()).isEqualTo(URI.create("https://10.0.0.1:6443"));
        assertThat(access.caCertificatePem()).contains("hello");
        assertThat(access.token()).contains("secret");
        assertThat(access.insecureSkipTlsVerify()).isFalse();
    }

    @Test
    void relativePathsAreResolvedAgainstTheKubeconfig() throws IOException {
        Files.writeString(folder.resolve("ca.crt"), "the authority");
        Files.writeString(folder.resolve("token"), "from a file\n");
        RestConfig access = KubeconfigReader.read(write(", certificate-authority: ca.crt", "tokenFile: token"));
        assertThat(access.caCertificatePem()).contains("the authority");
        assertThat(access.token()).contains("from a file");
    }

    @Test
    void aClientCertificateNeedsItsKey() throws IOException {
        assertThatThrownBy(() -> KubeconfigReader.read(write("", "client-certificate-data: aGVsbG8=")))
                .hasMessageContaining("client-certificate and client-key of a user must be given together");
        RestConfig access =
                KubeconfigReader.read(write("", "client-certificate-data: aGVsbG8=, client-key-data: a2V5"));
        assertThat(access.clientCertificate()).contains(new RestConfig.ClientCertificate("hello", "key"));
    }

    @Test
    void anExecPluginUserIsRejectedWithAMessage() throws IOException {
        assertThatThrownBy(() -> KubeconfigReader.read(write("", "exec: {command: login}")))
                .hasMessageContaining("users[].user.exec is not supported")
                .hasMessageContaining("token");
    }

    @Test
    void aMissingEntryIsNamed() throws IOException {
        Path file = Files.writeString(folder.resolve("config"), "current-context: nowhere\n");
        assertThatThrownBy(() -> KubeconfigReader.read(file))
                .hasMessageContaining("contexts has no entry named (nowhere)");
        assertThatThrownBy(() -> KubeconfigReader.read(folder.resolve("absent")))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("absent");
        Path broken = Files.writeString(folder.resolve("broken"), "a: [");
        assertThatThrownBy(() -> KubeconfigReader.read(broken)).hasMessageContaining("is no YAML");
    }

    @Test
    void secretsAreNotPrinted() throws IOException {
        RestConfig access = KubeconfigReader.read(write("", "token: secret"));
        assertThat(access.toString()).doesNotContain("secret");
        assertThat(new RestConfig.ClientCertificate("certificate", "private").toString())
                .doesNotContain("private");
    }

    @Test
    void anInvalidServerUrlIsRejected() {
        assertThatThrownBy(() -> RestConfig.withoutCredentials(URI.create("ftp://example")))
                .hasMessageContaining("server (ftp://example) must begin with https:// or http://");
    }
}
