package dev.berth.sandbox.client.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The same keys that OpenSSL made for Berth's own client. */
class OpenSslKeysTest {
    private static final Path KEYS =
            Path.of("..", "kubernetes/src/test/resources/dev/berth/kubernetes/kubeconfig/keys");

    static Stream<String> keys() throws IOException {
        try (Stream<Path> files = Files.list(KEYS)) {
            return files
                    .map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".pem"))
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    @ParameterizedTest
    @MethodSource("keys")
    void aPlainKeyIsReadAndAnEncryptedOneIsRejectedInWords(String name) throws Exception {
        String pem = Files.readString(KEYS.resolve(name));
        if (name.startsWith("encrypted")) {
            assertThatThrownBy(() -> PemReader.privateKey(pem))
                    .isInstanceOf(GeneralSecurityException.class)
                    .hasMessageContaining("is encrypted; give it without a password");
        } else {
            assertThat(PemReader.privateKey(pem).getEncoded()).isNotEmpty();
        }
    }
}
