package dev.berth.kubernetes.connection;

import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Says why a server's certificate was rejected, by the field that decides on it. */
final class ServerCertificates {
    private ServerCertificates() {}

    /** Empty where the certificate is not the reason, or Java's own words name it. */
    static Optional<String> problem(Throwable failure, Optional<Material> authority) {
        for (Throwable cause = failure; cause != null; cause = next(cause)) {
            if (cause instanceof CertificateExpiredException || cause instanceof CertificateNotYetValidException) {
                return Optional.of(
                        "the server's certificate, or its authority's, is not valid at this machine's time (%s)"
                                .formatted(cause.getMessage()));
            }
            if (isUnsigned(cause)) {
                return Optional.of(unsigned(authority));
            }
        }
        return Optional.empty();
    }

    private static @Nullable Throwable next(Throwable cause) {
        return cause.getCause() == cause ? null : cause.getCause();
    }

    /** An authority of the same name and another key is found, and then did not sign it. */
    private static boolean isUnsigned(Throwable cause) {
        return cause instanceof CertPathBuilderException
                || (cause instanceof CertPathValidatorException invalid
                        && invalid.getReason() == BasicReason.INVALID_SIGNATURE);
    }

    private static String unsigned(Optional<Material> authority) {
        return authority
                .map(material -> "the server's certificate is not signed by the authority of " + material.label())
                .orElse("the server's certificate is not signed by an authority that Java trusts. Maybe set"
                        + " clusters[].cluster.certificate-authority in the kubeconfig");
    }
}
