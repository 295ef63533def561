package dev.berth.kubeclient.pem;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;

/** A self-signed certificate for 127.0.0.1 and its key, made by the JDK's keytool. */
public record TestIdentity(X509Certificate certificate, PrivateKey key) {
    private static final String PASSWORD = "not-secret";

    public static TestIdentity make(Path folder, String algorithm) throws IOException, InterruptedException {
        Path store = folder.resolve("identity-%s.p12".formatted(algorithm));
        Path output = folder.resolve("keytool.log");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "it",
                        "-keyalg",
                        algorithm,
                        "-dname",
                        "CN=berth-test",
                        "-ext",
                        "SAN=ip:127.0.0.1,dns:localhost",
                        "-validity",
                        "365",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (keytool.waitFor() != 0) {
            throw new IOException("keytool: " + Files.readString(output));
        }
        try (InputStream in = Files.newInputStream(store)) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(in, PASSWORD.toCharArray());
            return new TestIdentity((X509Certificate) keys.getCertificate("it"), (PrivateKey)
                    keys.getKey("it", PASSWORD.toCharArray()));
        } catch (GeneralSecurityException unreadable) {
            throw new IOException(unreadable);
        }
    }

    public String certificatePem() {
        try {
            return Pem.encode("CERTIFICATE", certificate.getEncoded());
        } catch (GeneralSecurityException malformed) {
            throw new IllegalStateException(malformed);
        }
    }

    public String keyPem() {
        return Pem.encode("PRIVATE KEY", key.getEncoded());
    }
}
