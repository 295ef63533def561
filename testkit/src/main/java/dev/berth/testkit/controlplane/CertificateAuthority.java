package dev.berth.testkit.controlplane;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;

/**
 * Issues certificates for the servers of a test: one authority, servers on this machine only. They
 * are valid over fixed decades, so that no clock is asked.
 */
public final class CertificateAuthority {

    private static final Instant FROM = Instant.parse("2020-01-01T00:00:00Z");
    private static final Instant UNTIL = Instant.parse("2090-01-01T00:00:00Z");
    private static final String ECDSA_WITH_SHA256 = "1.2.840.10045.4.3.2";
    private static final String COMMON_NAME = "2.5.4.3";
    private static final String KEY_USAGE = "2.5.29.15";
    private static final String ALTERNATIVE_NAMES = "2.5.29.17";
    private static final String BASIC_CONSTRAINTS = "2.5.29.19";
    private static final String EXTENDED_KEY_USAGE = "2.5.29.37";
    private static final String SERVER_AUTHENTICATION = "1.3.6.1.5.5.7.3.1";
    private static final String NAME = "berth tests";

    private final SecureRandom random = new SecureRandom();
    private final KeyPair keys = newKeys();
    private final X509Certificate certificate;

    public CertificateAuthority() {
        byte[] constraints = extension(BASIC_CONSTRAINTS, true, Der.sequence(Der.yes()));
        // Bits of the first octet: digitalSignature, keyCertSign, cRLSign.
        byte[] usage = extension(KEY_USAGE, true, Der.bits(1, new byte[] {(byte) 0b1000_0110}));
        certificate = sign(NAME, keys, Der.sequence(constraints, usage));
    }

    /** A server's certificate with its private key. */
    public record Issued(X509Certificate certificate, PrivateKey key) {

        public String certificatePem() {
            return CertificateAuthority.pem("CERTIFICATE", encoded(certificate));
        }

        public String keyPem() {
            return CertificateAuthority.pem("PRIVATE KEY", key.getEncoded());
        }
    }

    public X509Certificate certificate() {
        return certificate;
    }

    public String pem() {
        return pem("CERTIFICATE", encoded(certificate));
    }

    /** Issues a certificate for a server at 127.0.0.1 and localhost. */
    public Issued issueForLoopback(String name) {
        KeyPair own = newKeys();
        byte[] names = Der.sequence(
                Der.implicit(2, "localhost".getBytes(StandardCharsets.US_ASCII)),
                Der.implicit(7, address("127.0.0.1")),
                Der.implicit(7, address("::1")));
        byte[] purpose = Der.sequence(Der.oid(SERVER_AUTHENTICATION));
        byte[] extensions =
                Der.sequence(extension(ALTERNATIVE_NAMES, false, names), extension(EXTENDED_KEY_USAGE, false, purpose));
        return new Issued(sign(name, own, extensions), own.getPrivate());
    }

    private X509Certificate sign(String subject, KeyPair own, byte[] extensions) {
        byte[] algorithm = Der.sequence(Der.oid(ECDSA_WITH_SHA256));
        byte[] body = Der.sequence(
                Der.explicit(0, Der.integer(BigInteger.TWO)),
                Der.integer(new BigInteger(120, random)),
                algorithm,
                name(NAME),
                Der.sequence(Der.time(FROM), Der.time(UNTIL)),
                name(subject),
                own.getPublic().getEncoded(),
                Der.explicit(3, extensions));
        try {
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(keys.getPrivate());
            signature.update(body);
            byte[] whole = Der.sequence(body, algorithm, Der.bits(0, signature.sign()));
            Certificate made =
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(whole));
            return (X509Certificate) made;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("no certificate could be made for (%s)".formatted(subject), e);
        }
    }

    private static byte[] name(String commonName) {
        return Der.sequence(Der.set(Der.sequence(Der.oid(COMMON_NAME), Der.text(commonName))));
    }

    private static byte[] extension(String oid, boolean critical, byte[] value) {
        return critical
                ? Der.sequence(Der.oid(oid), Der.yes(), Der.octets(value))
                : Der.sequence(Der.oid(oid), Der.octets(value));
    }

    private static byte[] address(String literal) {
        try {
            return InetAddress.getByName(literal).getAddress();
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("(%s) is no address".formatted(literal), e);
        }
    }

    private static KeyPair newKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK makes no P-256 keys", e);
        }
    }

    private static byte[] encoded(X509Certificate certificate) {
        try {
            return certificate.getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a certificate does not encode", e);
        }
    }

    private static String pem(String label, byte[] content) {
        return Pem.write(label, content);
    }
}
