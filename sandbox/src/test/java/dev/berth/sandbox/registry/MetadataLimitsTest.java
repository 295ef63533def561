package dev.berth.sandbox.registry;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldError;
import dev.berth.sandbox.validation.meta.IpAddresses;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MetadataLimitsTest {

    @Test
    void annotationsTogetherMayHave256Kibibytes() {
        ObjectNode config = aConfigMap();
        config.withObject("metadata").withObject("annotations").put("a", "x".repeat(256 * 1024 - 1));

        assertThat(errors(config)).isEmpty();

        config.withObject("metadata").withObject("annotations").put("b", "");
        assertThat(errors(config)).containsExactly("metadata.annotations: Too long: may not be more than 262144 bytes");
    }

    @Test
    void aLabelsLengthIsCountedInBytes() {
        ObjectNode config = aConfigMap();
        config.withObject("metadata").withObject("labels").put("a", "ü".repeat(40));

        assertThat(errors(config).get(0)).endsWith("must be no more than 63 bytes");
    }

    @Test
    void aConfigMapMayHoldAMebibyte() {
        ObjectNode config = aConfigMap();
        config.withObject("data").put("a", "x".repeat(1024 * 1024 + 1));

        assertThat(errors(config)).containsExactly(": Too long: may not be more than 1048576 bytes");
    }

    @Test
    void anUpdateKeepsIdentityAndAddsNoFinalizersToATerminatingObject() {
        ObjectNode before = aConfigMap();
        before.withObject("metadata").put("uid", "a").put("deletionTimestamp", "2026-01-01T00:00:00Z");
        ObjectNode after = before.deepCopy();
        after.withObject("metadata").put("uid", "b").withArray("finalizers").add("example.com/x");

        List<String> told = BuiltInValidation.validateUpdate("", "v1", "ConfigMap", before, after).stream()
                .map(FieldError::toString)
                .distinct()
                .toList();

        assertThat(told)
                .containsExactly(
                        "metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, "
                                + "found new finalizers []string{\"example.com/x\"}",
                        "metadata.uid: Invalid value: \"b\": field is immutable");
    }

    @Test
    void anUpdateNamesTheVersionItIsBasedOn() {
        ObjectNode before = aConfigMap();
        ObjectNode after = before.deepCopy();
        after.withObject("metadata").remove("resourceVersion");

        assertThat(BuiltInValidation.validateUpdate("", "v1", "ConfigMap", before, after).stream()
                        .map(FieldError::toString))
                .contains("metadata.resourceVersion: Invalid value: \"\": must be specified for an update");
    }

    @Test
    void aBindingNamesItsNode() {
        ObjectNode binding = JsonNodeFactory.instance.objectNode();
        binding.putObject("metadata").put("name", "p").put("namespace", "default");
        binding.putObject("target").put("kind", "Pod");

        assertThat(BuiltInValidation.validateCreate("", "v1", "Binding", binding).stream()
                        .map(FieldError::toString))
                .containsExactly(
                        "target.kind: Unsupported value: \"Pod\": supported values: \"Node\", \"<empty>\"",
                        "target.name: Required value");
    }

    @ParameterizedTest
    @ValueSource(strings = {"::1", "2001:db8::ffff", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4", "fe80::", "::"})
    void ipv6AddressesAreRecognized(String address) {
        assertThat(IpAddresses.isIpv6(address)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ":", "1::2::3", "12345::", "1:2:3", "1.2.3.4", "::1.2.3", "1:2:3:4:5:6:7:8:9", "g::"})
    void invalidIpv6AddressesAreRejected(String address) {
        assertThat(IpAddresses.isIpv6(address)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.2.3", "256.1.1.1", "01.2.3.4", "1.2.3.4.5", "a.b.c.d", ""})
    void anIpv4AddressHasFourBytes(String address) {
        assertThat(IpAddresses.isIpv4(address)).isFalse();
    }

    private static List<String> errors(ObjectNode object) {
        return BuiltInValidation.validateCreate("", "v1", "ConfigMap", object).stream()
                .map(FieldError::toString)
                .toList();
    }

    private static ObjectNode aConfigMap() {
        ObjectNode config = JsonNodeFactory.instance.objectNode();
        config.putObject("metadata")
                .put("name", "c")
                .put("namespace", "default")
                .put("resourceVersion", "1");
        return config;
    }
}
