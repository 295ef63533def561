package dev.berth.kubeclient.tls;

import dev.berth.kubeclient.pem.DerWriter;
import java.io.ByteArrayInputStream;
import java.math.BigInteger;
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
import java.util.List;

/**
 * An authority that lives as long as the servers it vouches for, all of them on this machine: its key never leaves
 * memory, so the certificates need no end. Keys are elliptic (P-256), which are quick to make.
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
    private static final List<byte[]> LOOPBACK =
            List.of(new byte[] {127, 0, 0, 1}, new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1});

    private final SecureRandom random = new SecureRandom();
    private final String name;
    private final KeyPair keys;
    private final X509Certificate certificate;

    public CertificateAuthority(String name) {
        this.name = name;
        this.keys = newKeyPair();
        byte[] basicConstraints = extension(BASIC_CONSTRAINTS, true, DerWriter.sequence(DerWriter.booleanTrue()));
        // Sign certificates and revocations: bits 5 and 6.
        byte[] use = extension(KEY_USAGE, true, DerWriter.bitString(1, new byte[] {0b0000_0110}));
        this.certificate = issue(name, keys.getPublic(), List.of(basicConstraints, use));
    }

    /** The authority's own certificate, which clients are to trust. */
    public X509Certificate certificate() {
        return certificate;
    }

    /** The same as text between dashes. */
    public String pem() {
        return ServerCertificate.pem(certificate);
    }

    /** A key and certificate for a server at this machine's loopback addresses, under these names. */
    public ServerCertificate issueServerCertificate(String server, List<String> names) {
        KeyPair own = newKeyPair();
        List<byte[]> alternatives = new ArrayList<>();
        names.forEach(
                each -> alternatives.add(DerWriter.implicitTag(DNS_NAME, each.getBytes(StandardCharsets.US_ASCII))));
        LOOPBACK.forEach(each -> alternatives.add(DerWriter.implicitTag(IP_ADDRESS, each)));
        X509Certificate issued = issue(
                server,
                own.getPublic(),
                List.of(
                        extension(BASIC_CONSTRAINTS, true, DerWriter.sequence()),
                        // Digital signature: bit 0.
                        extension(KEY_USAGE, true, DerWriter.bitString(7, new byte[] {(byte) 0b1000_0000})),
                        extension(
                                EXTENDED_KEY_USAGE,
                                false,
                                DerWriter.sequence(DerWriter.objectIdentifier(SERVER_AUTHENTICATION))),
                        extension(ALTERNATIVE_NAMES, false, DerWriter.sequence(alternatives.toArray(byte[][]::new)))));
        return new ServerCertificate(own.getPrivate(), issued, certificate);
    }

    private X509Certificate issue(String subject, PublicKey key, List<byte[]> extensions) {
        byte[] algorithm = DerWriter.sequence(DerWriter.objectIdentifier(ECDSA_WITH_SHA256));
        byte[] content = DerWriter.sequence(
                DerWriter.explicitTag(0, DerWriter.integer(BigInteger.TWO)),
                DerWriter.integer(new BigInteger(127, random).setBit(126)),
                algorithm,
                distinguishedName(name),
                DerWriter.sequence(DerWriter.utcTime("200101000000Z"), DerWriter.generalizedTime("99991231235959Z")),
                distinguishedName(subject),
                key.getEncoded(),
                DerWriter.explicitTag(3, DerWriter.sequence(extensions.toArray(byte[][]::new))));
        try {
            byte[] signed = DerWriter.sequence(content, algorithm, DerWriter.bitString(0, sign(content)));
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(signed));
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("this Java makes no certificate for (%s)".formatted(subject), missing);
        }
    }

    private byte[] sign(byte[] content) throws GeneralSecurityException {
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(keys.getPrivate(), random);
        signature.update(content);
        return signature.sign();
    }

    private static byte[] distinguishedName(String commonName) {
        return DerWriter.sequence(DerWriter.set(
                DerWriter.sequence(DerWriter.objectIdentifier(COMMON_NAME), DerWriter.utf8String(commonName))));
    }

    private static byte[] extension(String identifier, boolean critical, byte[] value) {
        return critical
                ? DerWriter.sequence(
                        DerWriter.objectIdentifier(identifier), DerWriter.booleanTrue(), DerWriter.octetString(value))
                : DerWriter.sequence(DerWriter.objectIdentifier(identifier), DerWriter.octetString(value));
    }

    private KeyPair newKeyPair() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"), random);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("this Java makes no P-256 keys", missing);
        }
    }
}
