package dev.berth.sandbox.schema.value;

import dev.berth.sandbox.schema.BuiltInSchemas;
import dev.berth.sandbox.schema.GroupVersionKind;

/** Whether a body is of the kind its request is about. */
public final class ExpectedKindCheck {

    private final BuiltInSchemas schemas;

    public ExpectedKindCheck(BuiltInSchemas schemas) {
        this.schemas = schemas;
    }

    /**
     * Refuses another kind or version; either may be left out by the body. Options and the like are taken in any version.
     *
     * @throws DecodingException in the real server's words
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
