package dev.berth.kubeclient.pem;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads and writes PEM. It reads certificates and private keys as Kubernetes tools write them: PKCS#8, PKCS#1 (RSA) and SEC1 (EC). */
public final class Pem {
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \\1-----", Pattern.DOTALL);

    private Pem() {}

    /** A PEM block with this label. */
    public static String encode(String label, byte[] der) {
        String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN %s-----\n%s\n-----END %1$s-----\n".formatted(label, base64);
    }

    public static List<X509Certificate> certificates(FileOrInlineData fileOrInlineData) throws ClientConfigException {
        List<X509Certificate> certificates = new ArrayList<>();
        for (PemBlock block : blocks(fileOrInlineData)) {
            if (block.label.equals("CERTIFICATE")) {
                certificates.add(certificate(fileOrInlineData, block));
            }
        }
        if (certificates.isEmpty()) {
            throw new ClientConfigException("%s has no certificate; it must be PEM with BEGIN CERTIFICATE"
                    .formatted(fileOrInlineData.description()));
        }
        return certificates;
    }

    public static PrivateKey privateKey(FileOrInlineData fileOrInlineData) throws ClientConfigException {
        for (PemBlock block : blocks(fileOrInlineData)) {
            Optional<PKCS8EncodedKeySpec> spec = keySpec(fileOrInlineData, block);
            if (spec.isPresent()) {
                return privateKey(fileOrInlineData, spec.get());
            }
        }
        throw new ClientConfigException("%s has no private key; it must be PEM with BEGIN PRIVATE KEY,"
                        .formatted(fileOrInlineData.description())
                + " BEGIN RSA PRIVATE KEY or BEGIN EC PRIVATE KEY");
    }

    private static ClientConfigException encryptedKeyError(FileOrInlineData fileOrInlineData) {
        return new ClientConfigException(
                ("%s is encrypted, and Berth cannot ask for its password; give the key without one, as"
                                + " \"openssl pkey -in encrypted.pem -out key.pem\" writes it")
                        .formatted(fileOrInlineData.description()));
    }

    private static Optional<PKCS8EncodedKeySpec> keySpec(FileOrInlineData fileOrInlineData, PemBlock block)
            throws ClientConfigException {
        try {
            return switch (block.label) {
                case "PRIVATE KEY" -> Optional.of(new PKCS8EncodedKeySpec(block.der));
                case "RSA PRIVATE KEY" -> Optional.of(new PKCS8EncodedKeySpec(Pkcs8Encoder.fromPkcs1(block.der)));
                case "EC PRIVATE KEY" -> Optional.of(new PKCS8EncodedKeySpec(Pkcs8Encoder.fromSec1(block.der)));
                case "ENCRYPTED PRIVATE KEY" -> throw encryptedKeyError(fileOrInlineData);
                default -> Optional.empty();
            };
        } catch (IllegalArgumentException malformed) {
            throw new ClientConfigException(
                    "%s has a malformed key: %s".formatted(fileOrInlineData.description(), malformed.getMessage()),
                    malformed);
        }
    }

    private static PrivateKey privateKey(FileOrInlineData fileOrInlineData, PKCS8EncodedKeySpec spec)
            throws ClientConfigException {
        List<String> reasons = new ArrayList<>();
        for (String algorithm : List.of("RSA", "EC", "Ed25519")) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(spec);
            } catch (GeneralSecurityException ofAnotherKind) {
                reasons.add("not %s: %s".formatted(algorithm, ofAnotherKind.getMessage()));
            }
        }
        throw new ClientConfigException("%s has a private key that is neither RSA nor EC nor Ed25519 %s"
                .formatted(fileOrInlineData.description(), reasons));
    }

    private static X509Certificate certificate(FileOrInlineData fileOrInlineData, PemBlock block)
            throws ClientConfigException {
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            return (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(block.der));
        } catch (CertificateException malformed) {
            throw new ClientConfigException(
                    "%s has a malformed certificate: %s"
                            .formatted(fileOrInlineData.description(), malformed.getMessage()),
                    malformed);
        }
    }

    private static List<PemBlock> blocks(FileOrInlineData fileOrInlineData) throws ClientConfigException {
        Matcher matcher = BLOCK.matcher(new String(fileOrInlineData.bytes(), StandardCharsets.ISO_8859_1));
        List<PemBlock> blocks = new ArrayList<>();
        while (matcher.find()) {
            // The older forms have a line before the key: Proc-Type: 4,ENCRYPTED.
            if (matcher.group(2).contains("Proc-Type:") && matcher.group(2).contains("ENCRYPTED")) {
                throw encryptedKeyError(fileOrInlineData);
            }
            try {
                blocks.add(
                        new PemBlock(matcher.group(1), Base64.getMimeDecoder().decode(matcher.group(2))));
            } catch (IllegalArgumentException malformed) {
                throw new ClientConfigException(
                        "%s is not PEM: %s".formatted(fileOrInlineData.description(), malformed.getMessage()),
                        malformed);
            }
        }
        return blocks;
    }

    private static final class PemBlock {
        private final String label;
        private final byte[] der;

        private PemBlock(String kind, byte[] der) {
            this.label = kind;
            this.der = der;
        }
    }
}
