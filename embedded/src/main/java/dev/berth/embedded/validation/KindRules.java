package dev.berth.embedded.validation;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.validation.meta.Names;
import dev.berth.embedded.validation.meta.ObjectMeta;
import java.util.List;
import java.util.function.Function;

/**
 * The rules of one kind: how its objects may be called, what they may contain, and what an update may do
 * to them. Each {@code with} method gives new rules.
 */
public final class KindRules {

    /** What is wrong with one object. */
    @FunctionalInterface
    public interface Content {
        /** Adds what is wrong. */
        void check(ObjectNode object, FieldErrors errors);
    }

    /** What is wrong with a change. */
    @FunctionalInterface
    public interface Change {
        /** Adds what is wrong. */
        void check(ObjectNode before, ObjectNode after, FieldErrors errors);
    }

    private final Function<String, List<String>> names;
    private final Content content;
    private final Change update;
    private final Change status;
    private final Content creation;

    private KindRules(
            Function<String, List<String>> names, Content content, Change update, Change status, Content creation) {
        this.names = requireNonNull(names, "names");
        this.content = requireNonNull(content, "content");
        this.update = requireNonNull(update, "update");
        this.status = requireNonNull(status, "status");
        this.creation = requireNonNull(creation, "creation");
    }

    /** Rules for a kind whose names are checked so, and nothing else yet. */
    public static KindRules named(Function<String, List<String>> names) {
        Content none = (object, errors) -> {};
        return new KindRules(names, none, ObjectMeta::checkUpdate, ObjectMeta::checkUpdate, none);
    }

    /** Rules for a kind whose objects are called by DNS subdomains, as most are. */
    public static KindRules plain() {
        return named(Names::subdomain);
    }

    /** The content is checked on create and on update, there after the metadata. */
    public KindRules with(Content rule) {
        Change both = (before, after, errors) -> {
            ObjectMeta.checkUpdate(before, after, errors);
            rule.check(after, errors);
        };
        return new KindRules(names, rule, both, status, creation);
    }

    /** What only a new object must not contain. */
    public KindRules withCreation(Content rule) {
        return new KindRules(names, content, update, status, rule);
    }

    /** An update is checked by this after the metadata and before the content. */
    public KindRules withUpdate(Change rule) {
        Change all = (before, after, errors) -> {
            ObjectMeta.checkUpdate(before, after, errors);
            rule.check(before, after, errors);
            content.check(after, errors);
        };
        return new KindRules(names, content, all, status, creation);
    }

    /** An update is checked by this after everything else. */
    public KindRules withLateUpdate(Change rule) {
        return new KindRules(
                names,
                content,
                (before, after, errors) -> {
                    update.check(before, after, errors);
                    rule.check(before, after, errors);
                },
                status,
                creation);
    }

    /** An update is checked by this after the metadata, and the content is not. */
    public KindRules withOnlyUpdate(Change rule) {
        return new KindRules(
                names,
                content,
                (before, after, errors) -> {
                    ObjectMeta.checkUpdate(before, after, errors);
                    rule.check(before, after, errors);
                },
                status,
                creation);
    }

    /** The status is checked after the metadata. */
    public KindRules withStatus(Change rule) {
        return new KindRules(
                names,
                content,
                update,
                (before, after, errors) -> {
                    ObjectMeta.checkUpdate(before, after, errors);
                    rule.check(before, after, errors);
                },
                creation);
    }

    void checkNew(ObjectNode object, boolean namespaced, FieldErrors errors) {
        ObjectMeta.checkNew(object, namespaced, names, errors);
        content.check(object, errors);
        creation.check(object, errors);
    }

    void checkUpdate(ObjectNode before, ObjectNode after, FieldErrors errors) {
        update.check(before, after, errors);
    }

    void checkStatus(ObjectNode before, ObjectNode after, FieldErrors errors) {
        status.check(before, after, errors);
    }
}
