package dev.berth.kubeclient.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.SignatureException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CertificateAuthorityTest {

    private final CertificateAuthority authority = new CertificateAuthority("tests");

    @Test
    void issuedCertificatesAreSignedByTheAuthority() {
        var issued = authority.issueServerCertificate("web", List.of("localhost"));

        assertThatCode(() -> issued.certificate().verify(authority.certificate().getPublicKey()))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> issued.certificate()
                        .verify(new CertificateAuthority("others").certificate().getPublicKey()))
                .isInstanceOf(SignatureException.class);
    }

    @Test
    void aServersCertificateNamesTheLoopbackAddresses() throws Exception {
        var certificate =
                authority.issueServerCertificate("web", List.of("localhost")).certificate();

        assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo("CN=web");
        assertThat(certificate.getSubjectAlternativeNames())
                .containsExactlyInAnyOrder(
                        List.of(2, "localhost"), List.of(7, "127.0.0.1"), List.of(7, "0:0:0:0:0:0:0:1"));
        assertThat(certificate.getBasicConstraints()).isEqualTo(-1);
        assertThat(authority.certificate().getBasicConstraints()).isPositive();
    }

    @Test
    void pemHasLinesOfSixtyFourCharacters() {
        assertThat(authority.pem().lines().toList())
                .startsWith("-----BEGIN CERTIFICATE-----")
                .endsWith("-----END CERTIFICATE-----")
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(64));
    }
}
