package dev.berth.sandbox.defaulting.kind;

import java.util.Locale;
import java.util.regex.Pattern;

/** Parses the name of a container image. */
final class ImageName {
    private static final Pattern REPOSITORY =
            Pattern.compile("[a-z0-9]+((\\.|_|__|-+)[a-z0-9]+)*(/[a-z0-9]+((\\.|_|__|-+)[a-z0-9]+)*)*");
    private static final Pattern TAG = Pattern.compile("\\w[\\w.-]{0,127}");

    private ImageName() {}

    /** Whether the image has the tag latest, or neither tag nor digest. Such an image is always pulled by default. */
    static boolean isLatest(String image) {
        if (image.contains("@")) {
            return false;
        }
        String rest = withoutDomain(image);
        int colon = rest.lastIndexOf(':');
        String repository = colon < 0 ? rest : rest.substring(0, colon);
        String tag = colon < 0 ? "latest" : rest.substring(colon + 1);
        return REPOSITORY.matcher(repository).matches() && TAG.matcher(tag).matches() && tag.equals("latest");
    }

    private static String withoutDomain(String image) {
        int slash = image.indexOf('/');
        if (slash < 0) {
            return image;
        }
        String first = image.substring(0, slash);
        boolean domain = first.contains(".")
                || first.contains(":")
                || first.equals("localhost")
                || !first.toLowerCase(Locale.ROOT).equals(first);
        return domain ? image.substring(slash + 1) : image;
    }
}
