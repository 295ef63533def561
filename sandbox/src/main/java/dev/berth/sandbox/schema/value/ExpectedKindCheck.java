package dev.berth.sandbox.schema.value;

import dev.berth.sandbox.schema.BuiltInSchemas;
import dev.berth.sandbox.schema.GroupVersionKind;

/** Checks that a body has the kind of its request. */
public final class ExpectedKindCheck {

    private final BuiltInSchemas schemas;

    public ExpectedKindCheck(BuiltInSchemas schemas) {
        this.schemas = schemas;
    }

    /**
     * Rejects an unexpected kind or version. The body may omit both. Options are accepted in any version.
     *
     * @throws DecodingException with the real server's message
     */
    public void check(String apiVersion, String kind, GroupVersionKind expected) throws DecodingException {
        String givenVersion = apiVersion.isEmpty() ? expected.apiVersion() : apiVersion;
        if (!kind.isEmpty() && !kind.equals(expected.kind())) {
            throw new DecodingException(DecodingMessages.cannotHandle(
                    kind,
                    givenVersion.substring(givenVersion.indexOf('/') + 1),
                    expected.kind(),
                    "no kind \"%s\" is expected here for version \"%s\"".formatted(kind, givenVersion)));
        }
        if (!givenVersion.equals(expected.apiVersion()) && !schemas.metaKinds().containsKey(expected.kind())) {
            throw new DecodingException("the API version in the data (%s) does not match the expected API version (%s)"
                    .formatted(givenVersion, expected.apiVersion()));
        }
    }
}
