package dev.berth.kubeclient.pem;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.util.Map;

/** Checks whether a private key belongs to a public key by signing and verifying. */
public final class KeyPairCheck {
    private static final Map<String, String> SIGNATURES =
            Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA");
    private static final byte[] SIGNED_TEXT = "berth".getBytes(StandardCharsets.US_ASCII);

    private KeyPairCheck() {}

    /** Unknown kinds of keys are left to the handshake. */
    public static boolean matches(PrivateKey privateKey, PublicKey publicKey) {
        if (!SIGNATURES.containsKey(publicKey.getAlgorithm())) {
            return true;
        }
        if (!privateKey.getAlgorithm().equals(publicKey.getAlgorithm())) {
            return false;
        }
        try {
            Signature signing = Signature.getInstance(SIGNATURES.get(privateKey.getAlgorithm()));
            signing.initSign(privateKey);
            signing.update(SIGNED_TEXT);
            byte[] signature = signing.sign();
            Signature verifying = Signature.getInstance(SIGNATURES.get(privateKey.getAlgorithm()));
            verifying.initVerify(publicKey);
            verifying.update(SIGNED_TEXT);
            return verifying.verify(signature);
        } catch (GeneralSecurityException otherParameters) {
            // A signature of another curve or length is malformed for this key.
            return false;
        }
    }
}
