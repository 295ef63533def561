package dev.berth.sandbox.registry;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.meta.NameChecks;
import dev.berth.sandbox.validation.meta.ObjectMetaChecks;
import java.util.List;
import java.util.function.Function;

/**
 * The validation of one kind: names, content and updates.
 * Each {@code with} method returns a new validator.
 */
public final class KindValidator {

    /** Validates one object. */
    @FunctionalInterface
    public interface ObjectRule {
        /** Adds the errors. */
        void check(ObjectNode object, FieldErrorList errors);
    }

    /** Validates a change. */
    @FunctionalInterface
    public interface UpdateRule {
        /** Adds the errors. */
        void check(ObjectNode before, ObjectNode after, FieldErrorList errors);
    }

    private final Function<String, List<String>> names;
    private final ObjectRule objectRule;
    private final UpdateRule update;
    private final UpdateRule status;
    private final ObjectRule creation;

    private KindValidator(
            Function<String, List<String>> names,
            ObjectRule objectRule,
            UpdateRule update,
            UpdateRule status,
            ObjectRule creation) {
        this.names = requireNonNull(names, "names");
        this.objectRule = requireNonNull(objectRule, "content");
        this.update = requireNonNull(update, "update");
        this.status = requireNonNull(status, "status");
        this.creation = requireNonNull(creation, "creation");
    }

    /** A validator that only checks names. */
    public static KindValidator forNames(Function<String, List<String>> names) {
        ObjectRule none = (object, errors) -> {};
        return new KindValidator(names, none, ObjectMetaChecks::checkUpdate, ObjectMetaChecks::checkUpdate, none);
    }

    /** A validator for names that are DNS subdomains, as for most kinds. */
    public static KindValidator forDnsSubdomainNames() {
        return forNames(NameChecks::dnsSubdomain);
    }

    /** The content is checked on create and on update, there after the metadata. */
    public KindValidator withContent(ObjectRule rule) {
        UpdateRule both = afterMetadata((before, after, errors) -> rule.check(after, errors));
        return new KindValidator(names, rule, both, status, creation);
    }

    /** Additional checks of a new object. */
    public KindValidator withCreation(ObjectRule rule) {
        return new KindValidator(names, objectRule, update, status, rule);
    }

    /** An update is checked by this after the metadata and before the content. */
    public KindValidator withUpdate(UpdateRule rule) {
        UpdateRule all = afterMetadata((before, after, errors) -> {
            rule.check(before, after, errors);
            objectRule.check(after, errors);
        });
        return new KindValidator(names, objectRule, all, status, creation);
    }

    /** An update is checked by this after everything else. */
    public KindValidator withLateUpdate(UpdateRule rule) {
        UpdateRule all = (before, after, errors) -> {
            update.check(before, after, errors);
            rule.check(before, after, errors);
        };
        return new KindValidator(names, objectRule, all, status, creation);
    }

    /** An update is checked by this after the metadata, and the content is not. */
    public KindValidator withUpdateInsteadOfContent(UpdateRule rule) {
        return new KindValidator(names, objectRule, afterMetadata(rule), status, creation);
    }

    /** The status is checked after the metadata. */
    public KindValidator withStatus(UpdateRule rule) {
        return new KindValidator(names, objectRule, update, afterMetadata(rule), creation);
    }

    private static UpdateRule afterMetadata(UpdateRule rule) {
        return (before, after, errors) -> {
            ObjectMetaChecks.checkUpdate(before, after, errors);
            rule.check(before, after, errors);
        };
    }

    void checkNew(ObjectNode object, boolean namespaced, FieldErrorList errors) {
        ObjectMetaChecks.checkNew(object, namespaced, names, errors);
        objectRule.check(object, errors);
        creation.check(object, errors);
    }

    void checkUpdate(ObjectNode before, ObjectNode after, FieldErrorList errors) {
        update.check(before, after, errors);
    }

    void checkStatus(ObjectNode before, ObjectNode after, FieldErrorList errors) {
        status.check(before, after, errors);
    }
}
