package dev.berth.sandbox.client.transport;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class PemReaderTest {
    /** Where the older form of an RSA key of 2048 bits begins within PKCS#8. */
    private static final int RSA_HEADER = 26;

    private static String pem(String label, byte[] der) {
        String lines = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(der);
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(label, lines, label);
    }

    private static KeyPair rsa() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        return generator.generateKeyPair();
    }

    @Test
    void aKeyInPkcs8IsRead() throws GeneralSecurityException {
        PrivateKey key = rsa().getPrivate();
        assertThat(PemReader.privateKey(pem("PRIVATE KEY", key.getEncoded()))).isEqualTo(key);
    }

    @Test
    void anRsaKeyInTheOlderFormIsRead() throws GeneralSecurityException {
        PrivateKey key = rsa().getPrivate();
        byte[] whole = key.getEncoded();
        byte[] older = Arrays.copyOfRange(whole, RSA_HEADER, whole.length);
        assertThat(PemReader.privateKey(pem("RSA PRIVATE KEY", older))).isEqualTo(key);
    }

    @Test
    void anEllipticKeyInTheOlderFormIsReadWithItsCurve() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        ECPrivateKey key = (ECPrivateKey) generator.generateKeyPair().getPrivate();
        byte[] der =
                HexFormat.of().parseHex("3031" + "020101" + "0420" + fixed(key.getS()) + "a00a06082a8648ce3d030107");
        assertThat(PemReader.privateKey(pem("EC PRIVATE KEY", der)))
                .isInstanceOfSatisfying(
                        ECPrivateKey.class, read -> assertThat(read.getS()).isEqualTo(key.getS()));
    }

    private static String fixed(BigInteger number) {
        return "%064x".formatted(number);
    }

    @Test
    void parametersBeforeTheKeyAreSkipped() throws GeneralSecurityException {
        PrivateKey key = rsa().getPrivate();
        String text = pem("EC PARAMETERS", new byte[] {6, 1, 0}) + pem("PRIVATE KEY", key.getEncoded());
        assertThat(PemReader.privateKey(text)).isEqualTo(key);
    }

    @Test
    void aTextWithoutAKeyOrCertificateIsRefused() {
        assertThatThrownBy(() -> PemReader.privateKey("nothing here")).hasMessageContaining("BEGIN PRIVATE KEY");
        assertThatThrownBy(() -> PemReader.certificates("nothing here")).hasMessageContaining("BEGIN CERTIFICATE");
    }
}
