package dev.berth.sandbox.authentication;

import java.util.List;

/** Who sent a request, as admission webhooks are told. */
public record UserInfo(String name, List<String> groups) {

    /** The user of requests made inside the process, where nobody has to prove anything. */
    public static final UserInfo SYSTEM =
            new UserInfo("system:apiserver", List.of("system:masters", "system:authenticated"));

    /** Somebody who did not say who they are. */
    public static final UserInfo ANONYMOUS = new UserInfo("system:anonymous", List.of("system:unauthenticated"));

    public UserInfo {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a user has a name. Maybe use User.SYSTEM.");
        }
        groups = List.copyOf(groups);
    }
}
