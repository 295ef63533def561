package dev.berth.core.door.globalreserve;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The names of StoredHold objects. No name is used twice. So if a create finds that the name exists, the existing
 * object is the requested one.
 */
final class ReservedGroupName {
    private static final int BYTES = 10;

    private ReservedGroupName() {}

    /** @param serial the number of requests of this process before this one */
    static String generate(StoredHoldSpec spec, long serial) {
        StringBuilder identity = new StringBuilder()
                .append(spec.schedulerName())
                .append('/')
                .append(spec.requestedAt())
                .append('/')
                .append(serial);
        for (ReservedPlace place : spec.places()) {
            identity.append('/')
                    .append(place.pod().uid())
                    .append('/')
                    .append(place.node().uid());
        }
        byte[] digest = sha256().digest(identity.toString().getBytes(StandardCharsets.UTF_8));
        return "globalreserve-" + HexFormat.of().formatHex(digest, 0, BYTES);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }
}
