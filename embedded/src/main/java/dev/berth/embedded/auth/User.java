package dev.berth.embedded.auth;

import java.util.List;

/** Who sent a request, as admission webhooks are told. */
public record User(String name, List<String> groups) {

    /** The user of requests made inside the process, where nobody has to prove anything. */
    public static final User SYSTEM = new User("system:apiserver", List.of("system:masters", "system:authenticated"));

    /** Somebody who did not say who they are. */
    public static final User ANONYMOUS = new User("system:anonymous", List.of("system:unauthenticated"));

    public User {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a user has a name. Maybe use User.SYSTEM.");
        }
        groups = List.copyOf(groups);
    }
}
