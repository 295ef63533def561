package dev.berth.core.door.reserve;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Names of Hold objects. None is used twice, so that whoever finds the name taken has found what was asked for. */
final class GroupName {
    private static final int BYTES = 10;

    private GroupName() {}

    /** @param serial how many were asked for before in this process */
    static String of(HoldSpec spec, long serial) {
        StringBuilder asked = new StringBuilder()
                .append(spec.scheduler())
                .append('/')
                .append(spec.made())
                .append('/')
                .append(serial);
        for (Place place : spec.places()) {
            asked.append('/')
                    .append(place.pod().uid())
                    .append('/')
                    .append(place.node().uid());
        }
        byte[] digest = sha256().digest(asked.toString().getBytes(StandardCharsets.UTF_8));
        return "reserve-" + HexFormat.of().formatHex(digest, 0, BYTES);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }
}
