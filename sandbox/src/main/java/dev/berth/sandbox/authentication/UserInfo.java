package dev.berth.sandbox.authentication;

import java.util.List;

/** The user of a request, as admission webhooks receive it. */
public record UserInfo(String name, List<String> groups) {

    /** The user of requests from inside the process, which need no authentication. */
    public static final UserInfo SYSTEM =
            new UserInfo("system:apiserver", List.of("system:masters", "system:authenticated"));

    /** The user of requests without a token. */
    public static final UserInfo ANONYMOUS = new UserInfo("system:anonymous", List.of("system:unauthenticated"));

    public UserInfo {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a user must have a name. Maybe use User.SYSTEM.");
        }
        groups = List.copyOf(groups);
    }
}
