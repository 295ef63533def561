package dev.berth.app.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;

/** The version that the build wrote into the distribution. */
public final class Version {
    private Version() {}

    public static String text() {
        try (InputStream in = Version.class.getResourceAsStream("/berth.properties")) {
            Properties properties = new Properties();
            properties.load(Objects.requireNonNull(in, "berth.properties is missing from the distribution"));
            return properties.getProperty("version");
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
