package dev.berth.sandbox.authentication;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Authenticates bearer tokens. There is no other authentication, and every token has all permissions. */
public final class TokenAuthenticator {

    private static final String SCHEME = "bearer ";

    private final Map<String, UserInfo> userInfos;

    public TokenAuthenticator(Map<String, UserInfo> userInfos) {
        userInfos.keySet().forEach(TokenAuthenticator::requireUsable);
        this.userInfos = new TreeMap<>(userInfos);
    }

    /** The user behind an {@code Authorization} header, if it carries a known token. */
    public Optional<UserInfo> authenticate(String authorization) {
        if (!authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return Optional.empty();
        }
        byte[] offered = authorization.substring(SCHEME.length()).strip().getBytes(StandardCharsets.UTF_8);
        UserInfo found = null;
        // Every token is compared in full, so that the time taken tells nothing about how much of one was right.
        for (Map.Entry<String, UserInfo> each : userInfos.entrySet()) {
            if (MessageDigest.isEqual(offered, each.getKey().getBytes(StandardCharsets.UTF_8))) {
                found = each.getValue();
            }
        }
        return Optional.ofNullable(found);
    }

    private static void requireUsable(String token) {
        if (token.isBlank() || token.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw new IllegalArgumentException("a token is one word of printable ASCII without spaces");
        }
    }
}
