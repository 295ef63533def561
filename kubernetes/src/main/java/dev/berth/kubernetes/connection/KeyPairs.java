package dev.berth.kubernetes.connection;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.util.Map;

/** Finds out whether a private key belongs to a public one: it signs, and the other must agree. */
final class KeyPairs {
    private static final Map<String, String> SIGNATURES =
            Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA");
    private static final byte[] TEXT = "berth".getBytes(StandardCharsets.US_ASCII);

    private KeyPairs() {}

    /** Kinds of keys that are not known here are left to the handshake. */
    static boolean belongTogether(PrivateKey own, PublicKey shown) {
        if (!SIGNATURES.containsKey(shown.getAlgorithm())) {
            return true;
        }
        if (!own.getAlgorithm().equals(shown.getAlgorithm())) {
            return false;
        }
        try {
            Signature signing = Signature.getInstance(SIGNATURES.get(own.getAlgorithm()));
            signing.initSign(own);
            signing.update(TEXT);
            byte[] signature = signing.sign();
            Signature verifying = Signature.getInstance(SIGNATURES.get(own.getAlgorithm()));
            verifying.initVerify(shown);
            verifying.update(TEXT);
            return verifying.verify(signature);
        } catch (GeneralSecurityException otherParameters) {
            // A signature of another curve or length is malformed for this key.
            return false;
        }
    }
}
