package dev.berth.kubeclient.pem;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.security.interfaces.ECPrivateKey;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PemTest {
    /** What PKCS#8 puts before an RSA key of this size. */
    private static final int RSA_PREFIX = 26;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Test
    void anRsaKeyIsTheSameInPkcs1AndPkcs8() throws Exception {
        TestIdentity identity = TestIdentity.make(folder, "RSA");
        byte[] pkcs8 = identity.key().getEncoded();
        byte[] pkcs1 = Arrays.copyOfRange(pkcs8, RSA_PREFIX, pkcs8.length);
        assertThat(Pem.privateKey(inline(identity.keyPem()))).isEqualTo(identity.key());
        assertThat(Pem.privateKey(inline(Pem.encode("RSA PRIVATE KEY", pkcs1)))).isEqualTo(identity.key());
    }

    @Test
    void anEcKeyIsTheSameInSec1AndPkcs8() throws Exception {
        TestIdentity identity = TestIdentity.make(folder, "EC");
        ECPrivateKey key = (ECPrivateKey) identity.key();
        ECPrivateKey read = (ECPrivateKey) Pem.privateKey(inline(Pem.encode("EC PRIVATE KEY", sec1(key))));
        assertThat(read.getS()).isEqualTo(key.getS());
        assertThat(read.getParams().getCurve()).isEqualTo(key.getParams().getCurve());
    }

    @Test
    void textAroundPemBlocksIsIgnored() throws Exception {
        TestIdentity identity = TestIdentity.make(folder, "EC");
        String bundle = "# first\n%s\n# and again\n%<s".formatted(identity.certificatePem());
        assertThat(Pem.certificates(inline(bundle))).hasSize(2).contains(identity.certificate());
    }

    @Test
    void aFileWithoutAKeyOrCertificateIsRejectedByName() {
        assertThatThrownBy(() -> Pem.privateKey(inline("hello")))
                .isInstanceOf(ClientConfigException.class)
                .hasMessageContaining("the key has no private key");
        assertThatThrownBy(() -> Pem.certificates(inline("hello")))
                .isInstanceOf(ClientConfigException.class)
                .hasMessageContaining("the key has no certificate");
        assertThatThrownBy(() -> Pem.certificates(inline(Pem.encode("CERTIFICATE", new byte[] {1, 2, 3}))))
                .isInstanceOf(ClientConfigException.class)
                .hasMessageContaining("malformed certificate");
        assertThatThrownBy(() -> Pem.privateKey(inline(Pem.encode("EC PRIVATE KEY", new byte[] {0x30, 7, 1}))))
                .isInstanceOf(ClientConfigException.class)
                .hasMessageContaining("malformed key: length (7) at byte 2 goes beyond the end");
        assertThatThrownBy(() -> Pem.privateKey(inline(Pem.encode("PRIVATE KEY", new byte[] {0x30, 0}))))
                .isInstanceOf(ClientConfigException.class)
                .hasMessageContaining("neither RSA nor EC");
        assertThatThrownBy(() -> Pem.privateKey(inline(Pem.encode("ENCRYPTED PRIVATE KEY", new byte[] {1}))))
                .isInstanceOf(ClientConfigException.class)
                .hasMessageContaining("encrypted");
    }

    /** As OpenSSL writes it: the number, and the curve after it. */
    private static byte[] sec1(ECPrivateKey key) {
        int size = (key.getParams().getCurve().getField().getFieldSize() + 7) / 8;
        String curve = size == 48 ? "06052b81040022" : "06082a8648ce3d030107";
        byte[] parameters = HexFormat.of().parseHex(curve);
        byte[] number = new byte[size];
        byte[] signed = key.getS().toByteArray();
        int length = Math.min(signed.length, size);
        System.arraycopy(signed, signed.length - length, number, size - length, length);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(new byte[] {0x30, (byte) (3 + 2 + size + 2 + parameters.length), 2, 1, 1, 4, (byte) size});
        out.writeBytes(number);
        out.write(0xa0);
        out.write(parameters.length);
        out.writeBytes(parameters);
        return out.toByteArray();
    }

    private static FileOrInlineData inline(String text) {
        return FileOrInlineData.inline("the key", text.getBytes(UTF_8));
    }
}
