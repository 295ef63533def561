package dev.berth.kubeclient.tls;

import dev.berth.kubeclient.pem.FileOrInlineData;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Explains why a server's certificate was rejected, with the field of the kubeconfig to correct. */
final class ServerCertificateErrors {
    private ServerCertificateErrors() {}

    /** Empty if the certificate is not the reason, or if Java's own message names it. */
    static Optional<String> explain(Throwable failure, Optional<FileOrInlineData> authority) {
        for (Throwable cause = failure; cause != null; cause = nextCause(cause)) {
            if (cause instanceof CertificateExpiredException || cause instanceof CertificateNotYetValidException) {
                return Optional.of(
                        "the server's certificate, or its authority's, is not valid at this machine's time (%s)"
                                .formatted(cause.getMessage()));
            }
            if (isUntrusted(cause)) {
                return Optional.of(untrustedMessage(authority));
            }
        }
        return Optional.empty();
    }

    private static @Nullable Throwable nextCause(Throwable cause) {
        return cause.getCause() == cause ? null : cause.getCause();
    }

    /** An authority with the same name and a different key is found, but did not sign the certificate. */
    private static boolean isUntrusted(Throwable cause) {
        return cause instanceof CertPathBuilderException
                || (cause instanceof CertPathValidatorException invalid
                        && invalid.getReason() == BasicReason.INVALID_SIGNATURE);
    }

    private static String untrustedMessage(Optional<FileOrInlineData> authority) {
        return authority
                .map(fileOrInlineData ->
                        "the server's certificate is not signed by the authority of " + fileOrInlineData.description())
                .orElse("the server's certificate is not signed by an authority that Java trusts. Maybe set"
                        + " clusters[].cluster.certificate-authority in the kubeconfig");
    }
}
