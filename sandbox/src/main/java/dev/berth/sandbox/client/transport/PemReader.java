package dev.berth.sandbox.client.transport;

import dev.berth.sandbox.asn1.DerWriter;
import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Certificates and private keys as PEM text: PKCS#8, and the older forms of RSA and EC keys that kubeconfigs carry. */
final class PemReader {
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \\1-----", Pattern.DOTALL);
    private static final byte[] RSA_ALGORITHM = HexFormat.of().parseHex("300d06092a864886f70d0101010500");
    private static final byte[] EC_OID = HexFormat.of().parseHex("06072a8648ce3d0201");
    private static final int CURVE_TAG = 0xa0;

    private PemReader() {}

    static List<X509Certificate> certificates(String pem) throws GeneralSecurityException {
        List<X509Certificate> found = new ArrayList<>();
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        Matcher blocks = BLOCK.matcher(pem);
        while (blocks.find()) {
            if (blocks.group(1).equals("CERTIFICATE")) {
                byte[] der = decode(blocks.group(2));
                found.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(der)));
            }
        }
        if (found.isEmpty()) {
            throw new GeneralSecurityException("no \"BEGIN CERTIFICATE\" block in the PEM text");
        }
        return found;
    }

    static PrivateKey privateKey(String pem) throws GeneralSecurityException {
        Matcher blocks = BLOCK.matcher(pem);
        while (blocks.find()) {
            requireUnencrypted(blocks.group(1), blocks.group(2));
            byte[] der = decode(blocks.group(2));
            // Parameters and certificates may stand before the key.
            Optional<byte[]> key = toPkcs8(blocks.group(1), der);
            if (key.isPresent()) {
                return privateKey(key.get());
            }
        }
        throw new GeneralSecurityException("no unencrypted \"BEGIN PRIVATE KEY\" block in the PEM text");
    }

    /** The older forms say that they are encrypted in lines before the key: Proc-Type: 4,ENCRYPTED. */
    private static void requireUnencrypted(String label, String content) throws GeneralSecurityException {
        boolean older = content.contains("Proc-Type:") && content.contains("ENCRYPTED");
        if (older || label.equals("ENCRYPTED PRIVATE KEY")) {
            throw new GeneralSecurityException(
                    "the private key is encrypted; give it without a password, as \"openssl pkey"
                            + " -in encrypted.pem -out key.pem\" writes it");
        }
    }

    private static Optional<byte[]> toPkcs8(String label, byte[] der) throws GeneralSecurityException {
        return switch (label) {
            case "PRIVATE KEY" -> Optional.of(der);
            case "RSA PRIVATE KEY" -> Optional.of(wrapInPkcs8(RSA_ALGORITHM, der));
            case "EC PRIVATE KEY" -> Optional.of(wrapInPkcs8(DerWriter.sequence(EC_OID, readCurveOid(der)), der));
            default -> Optional.empty();
        };
    }

    private static byte[] wrapInPkcs8(byte[] algorithm, byte[] key) {
        return DerWriter.sequence(DerWriter.integer(BigInteger.ZERO), algorithm, DerWriter.octetString(key));
    }

    private static PrivateKey privateKey(byte[] der) throws GeneralSecurityException {
        PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(der);
        GeneralSecurityException last = new GeneralSecurityException("a private key of unknown algorithm");
        for (String algorithm : List.of("RSA", "EC", "Ed25519")) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(spec);
            } catch (GeneralSecurityException another) {
                last = another;
            }
        }
        throw last;
    }

    /** The curve's identifier out of an EC private key: the first element with tag 0 of its sequence. */
    private static byte[] readCurveOid(byte[] der) throws GeneralSecurityException {
        int at = contentOffset(der, 0);
        while (at < der.length) {
            int start = contentOffset(der, at);
            int end = start + length(der, at);
            if ((der[at] & 0xff) == CURVE_TAG) {
                return Arrays.copyOfRange(der, start, end);
            }
            at = end;
        }
        throw new GeneralSecurityException("the EC private key names no curve");
    }

    private static int contentOffset(byte[] der, int at) {
        int first = der[at + 1] & 0xff;
        return at + 2 + (first < 0x80 ? 0 : first & 0x7f);
    }

    private static int length(byte[] der, int at) {
        int first = der[at + 1] & 0xff;
        if (first < 0x80) {
            return first;
        }
        int length = 0;
        for (int i = 0; i < (first & 0x7f); i++) {
            length = (length << 8) | (der[at + 2 + i] & 0xff);
        }
        return length;
    }

    private static byte[] decode(String base64) {
        return Base64.getMimeDecoder().decode(base64.getBytes(StandardCharsets.US_ASCII));
    }
}
