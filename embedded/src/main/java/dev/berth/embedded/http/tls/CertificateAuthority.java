package dev.berth.embedded.http.tls;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * An authority that lives as long as the server it vouches for: its key never leaves memory, so the certificates need no
 * end. Keys are elliptic (P-256), which are quick to make.
 */
public final class CertificateAuthority {

    private static final String ECDSA_WITH_SHA256 = "1.2.840.10045.4.3.2";
    private static final String COMMON_NAME = "2.5.4.3";
    private static final String BASIC_CONSTRAINTS = "2.5.29.19";
    private static final String KEY_USAGE = "2.5.29.15";
    private static final String EXTENDED_KEY_USAGE = "2.5.29.37";
    private static final String ALTERNATIVE_NAMES = "2.5.29.17";
    private static final String SERVER_AUTHENTICATION = "1.3.6.1.5.5.7.3.1";
    private static final int DNS_NAME = 2;
    private static final int IP_ADDRESS = 7;

    private final SecureRandom random = new SecureRandom();
    private final String name;
    private final KeyPair keys;
    private final X509Certificate certificate;

    public CertificateAuthority(String name) throws GeneralSecurityException {
        this.name = name;
        this.keys = newKeys();
        byte[] mayIssue = extension(BASIC_CONSTRAINTS, true, Der.sequence(Der.yes()));
        // Sign certificates and revocations: bits 5 and 6.
        byte[] use = extension(KEY_USAGE, true, Der.bits(1, new byte[] {0b0000_0110}));
        this.certificate = issue(name, keys.getPublic(), List.of(mayIssue, use));
    }

    /** The authority's own certificate, which clients are to trust. */
    public X509Certificate certificate() {
        return certificate;
    }

    /** A key and certificate for a server under these names and addresses. */
    public ServerIdentity identify(String server, List<String> names, List<InetAddress> addresses)
            throws GeneralSecurityException {
        KeyPair own = newKeys();
        List<byte[]> alternatives = new ArrayList<>();
        names.forEach(each -> alternatives.add(Der.implicit(DNS_NAME, each.getBytes(StandardCharsets.US_ASCII))));
        addresses.forEach(each -> alternatives.add(Der.implicit(IP_ADDRESS, each.getAddress())));
        X509Certificate issued = issue(
                server,
                own.getPublic(),
                List.of(
                        extension(BASIC_CONSTRAINTS, true, Der.sequence()),
                        // Digital signature: bit 0.
                        extension(KEY_USAGE, true, Der.bits(7, new byte[] {(byte) 0b1000_0000})),
                        extension(EXTENDED_KEY_USAGE, false, Der.sequence(Der.identifier(SERVER_AUTHENTICATION))),
                        extension(ALTERNATIVE_NAMES, false, Der.sequence(alternatives.toArray(byte[][]::new)))));
        return new ServerIdentity(own.getPrivate(), issued, certificate);
    }

    /** A certificate as text between dashes. */
    public static String pem(X509Certificate certificate) throws GeneralSecurityException {
        String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate.getEncoded());
        return "-----BEGIN CERTIFICATE-----\n" + base64 + "\n-----END CERTIFICATE-----\n";
    }

    private X509Certificate issue(String subject, PublicKey key, List<byte[]> extensions)
            throws GeneralSecurityException {
        byte[] algorithm = Der.sequence(Der.identifier(ECDSA_WITH_SHA256));
        byte[] content = Der.sequence(
                Der.explicit(0, Der.integer(BigInteger.TWO)),
                Der.integer(new BigInteger(127, random).setBit(126)),
                algorithm,
                distinguishedName(name),
                Der.sequence(Der.utcTime("200101000000Z"), Der.generalizedTime("99991231235959Z")),
                distinguishedName(subject),
                key.getEncoded(),
                Der.explicit(3, Der.sequence(extensions.toArray(byte[][]::new))));
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(keys.getPrivate(), random);
        signature.update(content);
        byte[] signed = Der.sequence(content, algorithm, Der.bits(0, signature.sign()));
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(signed));
    }

    private static byte[] distinguishedName(String commonName) {
        return Der.sequence(Der.set(Der.sequence(Der.identifier(COMMON_NAME), Der.utf8(commonName))));
    }

    private static byte[] extension(String identifier, boolean critical, byte[] value) {
        return critical
                ? Der.sequence(Der.identifier(identifier), Der.yes(), Der.octets(value))
                : Der.sequence(Der.identifier(identifier), Der.octets(value));
    }

    private KeyPair newKeys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"), random);
        return generator.generateKeyPair();
    }
}
