package dev.berth.core.door.globalreserve;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Names of StoredHold objects. None is used twice, so that whoever finds the name taken has found what was asked for. */
final class ReservedGroupName {
    private static final int BYTES = 10;

    private ReservedGroupName() {}

    /** @param serial how many were asked for before in this process */
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
