package dev.berth.kubernetes.connection;

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

/** Reads certificates and private keys as Kubernetes tools write them: PKCS#8, PKCS#1 (RSA) and SEC1 (EC). */
final class Pem {
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \\1-----", Pattern.DOTALL);

    private Pem() {}

    static List<X509Certificate> certificates(Material material) throws UnusableAccess {
        List<X509Certificate> certificates = new ArrayList<>();
        for (Block block : blocks(material)) {
            if (block.kind.equals("CERTIFICATE")) {
                certificates.add(certificate(material, block));
            }
        }
        if (certificates.isEmpty()) {
            throw new UnusableAccess(
                    "%s holds no certificate; it must be PEM with BEGIN CERTIFICATE".formatted(material.label()));
        }
        return certificates;
    }

    static PrivateKey privateKey(Material material) throws UnusableAccess {
        for (Block block : blocks(material)) {
            Optional<PKCS8EncodedKeySpec> spec = keySpec(material, block);
            if (spec.isPresent()) {
                return privateKey(material, spec.get());
            }
        }
        throw new UnusableAccess(
                "%s holds no private key; it must be PEM with BEGIN PRIVATE KEY,".formatted(material.label())
                        + " BEGIN RSA PRIVATE KEY or BEGIN EC PRIVATE KEY");
    }

    private static UnusableAccess encrypted(Material material) {
        return new UnusableAccess(
                ("%s is encrypted, and Berth cannot ask for its password; give the key without one, as"
                                + " \"openssl pkey -in encrypted.pem -out key.pem\" writes it")
                        .formatted(material.label()));
    }

    private static Optional<PKCS8EncodedKeySpec> keySpec(Material material, Block block) throws UnusableAccess {
        try {
            return switch (block.kind) {
                case "PRIVATE KEY" -> Optional.of(new PKCS8EncodedKeySpec(block.der));
                case "RSA PRIVATE KEY" -> Optional.of(new PKCS8EncodedKeySpec(Der.pkcs8OfRsa(block.der)));
                case "EC PRIVATE KEY" -> Optional.of(new PKCS8EncodedKeySpec(Der.pkcs8OfEc(block.der)));
                case "ENCRYPTED PRIVATE KEY" -> throw encrypted(material);
                default -> Optional.empty();
            };
        } catch (IllegalArgumentException malformed) {
            throw new UnusableAccess(
                    "%s holds a malformed key: %s".formatted(material.label(), malformed.getMessage()), malformed);
        }
    }

    private static PrivateKey privateKey(Material material, PKCS8EncodedKeySpec spec) throws UnusableAccess {
        List<String> reasons = new ArrayList<>();
        for (String algorithm : List.of("RSA", "EC", "Ed25519")) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(spec);
            } catch (GeneralSecurityException ofAnotherKind) {
                reasons.add("not %s: %s".formatted(algorithm, ofAnotherKind.getMessage()));
            }
        }
        throw new UnusableAccess("%s holds a private key that is neither RSA nor EC nor Ed25519 %s"
                .formatted(material.label(), reasons));
    }

    private static X509Certificate certificate(Material material, Block block) throws UnusableAccess {
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            return (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(block.der));
        } catch (CertificateException malformed) {
            throw new UnusableAccess(
                    "%s holds a malformed certificate: %s".formatted(material.label(), malformed.getMessage()),
                    malformed);
        }
    }

    private static List<Block> blocks(Material material) throws UnusableAccess {
        Matcher matcher = BLOCK.matcher(new String(material.bytes(), StandardCharsets.ISO_8859_1));
        List<Block> blocks = new ArrayList<>();
        while (matcher.find()) {
            // The older forms say so in lines before the key: Proc-Type: 4,ENCRYPTED.
            if (matcher.group(2).contains("Proc-Type:") && matcher.group(2).contains("ENCRYPTED")) {
                throw encrypted(material);
            }
            try {
                blocks.add(new Block(matcher.group(1), Base64.getMimeDecoder().decode(matcher.group(2))));
            } catch (IllegalArgumentException malformed) {
                throw new UnusableAccess(
                        "%s is not PEM: %s".formatted(material.label(), malformed.getMessage()), malformed);
            }
        }
        return blocks;
    }

    private static final class Block {
        private final String kind;
        private final byte[] der;

        private Block(String kind, byte[] der) {
            this.kind = kind;
            this.der = der;
        }
    }
}
