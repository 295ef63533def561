package dev.berth.kubeclient.pem;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Private keys that OpenSSL made; the script beside them says how. */
class OpenSslKeysTest {
    private static final Path KEYS = Path.of("src/test/resources/dev/berth/kubeclient/pem/keys");

    static Stream<String> plain() throws IOException {
        return keys(false);
    }

    static Stream<String> encrypted() throws IOException {
        return keys(true);
    }

    private static Stream<String> keys(boolean encrypted) throws IOException {
        try (Stream<Path> files = Files.list(KEYS)) {
            return files
                    .map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".pem") && name.startsWith("encrypted") == encrypted)
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    @ParameterizedTest
    @MethodSource("plain")
    void aKeyThatOpenSslMadeIsReadAndBelongsToItsPublicKey(String name) throws Exception {
        PrivateKey key = Pem.privateKey(FileOrInlineData.inline(name, Files.readAllBytes(KEYS.resolve(name))));
        PublicKey other = publicKey(KEYS.resolve(name.replace(".pem", ".pub")), key.getAlgorithm());
        String algorithm = switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> "Ed25519";
        };
        Signature signing = Signature.getInstance(algorithm);
        signing.initSign(key);
        signing.update(name.getBytes(UTF_8));
        Signature verifying = Signature.getInstance(algorithm);
        verifying.initVerify(other);
        verifying.update(name.getBytes(UTF_8));
        assertThat(verifying.verify(signing.sign())).isTrue();
    }

    @ParameterizedTest
    @MethodSource("encrypted")
    void anEncryptedKeyIsRejectedAndTheMessageSaysWhatToDo(String name) throws Exception {
        FileOrInlineData fileOrInlineData =
                FileOrInlineData.inline("user.client-key-data", Files.readAllBytes(KEYS.resolve(name)));
        assertThatThrownBy(() -> Pem.privateKey(fileOrInlineData))
                .isInstanceOf(ClientConfigException.class)
                .hasMessage(
                        "user.client-key-data is encrypted, and Berth cannot ask for its password; give the key without"
                                + " one, as \"openssl pkey -in encrypted.pem -out key.pem\" writes it");
    }

    private static PublicKey publicKey(Path file, String algorithm) throws IOException, GeneralSecurityException {
        String base64 = Files.readString(file).replaceAll("-----[^-]*-----|\\s", "");
        String name = algorithm.equals("EdDSA") ? "Ed25519" : algorithm;
        return KeyFactory.getInstance(name)
                .generatePublic(new X509EncodedKeySpec(Base64.getDecoder().decode(base64)));
    }
}
