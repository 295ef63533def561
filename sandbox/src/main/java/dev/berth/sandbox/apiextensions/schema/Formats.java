package dev.berth.sandbox.apiextensions.schema;

import static java.util.Map.entry;

import dev.berth.sandbox.validation.meta.IpAddresses;
import dev.berth.sandbox.validation.meta.NameChecks;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** The formats of strings in schemas. An unknown format accepts everything. */
final class Formats {
    private static final String HEX = "[0-9a-fA-F]";
    private static final String HOST_PART =
            "[a-zA-Z0-9\\p{IsAlphabetic}]([-a-zA-Z0-9\\p{IsAlphabetic}]{0,61}[a-zA-Z0-9\\p{IsAlphabetic}])?";

    private static final Map<String, Predicate<String>> BY_NAME = Map.ofEntries(
            entry("byte", Formats::isBase64),
            entry("cidr", Formats::isNetwork),
            entry("creditcard", form("[0-9]{13,19}")),
            entry("date", Formats::isDate),
            entry("datetime", Formats::isTime),
            entry("duration", Formats::isDuration),
            entry("email", Formats::isMail),
            entry("hexcolor", form("#?(" + HEX + "{3}|" + HEX + "{6})")),
            entry("hostname", Formats::isHost),
            entry("ipv4", IpAddresses::isIpv4),
            entry("ipv6", IpAddresses::isIpv6),
            entry("isbn", form("[0-9-]{9,16}[0-9X]")),
            entry("isbn10", form("[0-9]{9}[0-9X]")),
            entry("isbn13", form("97[89][0-9-]{10,14}")),
            entry("mac", form(HEX + "{2}([:-]" + HEX + "{2}){5}([:-]" + HEX + "{2}){0,14}")),
            entry("password", text -> true),
            entry("rgbcolor", form("rgb\\(\\s*[0-9]{1,3}\\s*,\\s*[0-9]{1,3}\\s*,\\s*[0-9]{1,3}\\s*\\)")),
            entry("ssn", form("[0-9]{3}[- ]?[0-9]{2}[- ]?[0-9]{4}")),
            entry("uri", Formats::isUri),
            entry("bsonobjectid", form(HEX + "{24}")),
            entry("uuid", uuid("")),
            entry("uuid3", uuid("3")),
            entry("uuid4", uuid("4")),
            entry("uuid5", uuid("5")),
            entry("k8sshortname", text -> NameChecks.dnsLabel(text).isEmpty()),
            entry("k8slongname", text -> NameChecks.dnsSubdomain(text).isEmpty()));

    private static final Pattern DURATION = Pattern.compile(
            "[-+]?(0|([0-9]+\\.?[0-9]*|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)(([0-9]+\\.?[0-9]*|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))*)");
    private static final Pattern WORDY_DURATION = Pattern.compile(
            "[0-9]+\\s*(ns|us|µs|ms|s|m|h|d|w|nano|micro|milli|sec|min|hr|nanosecond|microsecond|millisecond|second|minute|hour|day|week)s?");
    private static final Set<String> WHOLE = Set.of("int32", "int64");
    private static final Set<String> FRACTIONAL = Set.of("float", "double");

    private Formats() {}

    /** The canonical name of the format, or the empty text when it does not apply to the type. */
    static String supported(String type, String format) {
        return switch (type) {
            case "", "string" -> BY_NAME.containsKey(format.replace("-", "")) ? format : "";
            case "integer" -> WHOLE.contains(format) ? format : "";
            case "number" -> FRACTIONAL.contains(format) ? format : "";
            default -> "";
        };
    }

    static boolean matches(String format, String text) {
        return BY_NAME.getOrDefault(format.replace("-", ""), any -> true).test(text);
    }

    private static Predicate<String> form(String expression) {
        return Pattern.compile(expression).asMatchPredicate();
    }

    private static Predicate<String> uuid(String version) {
        String third = version.isEmpty() ? HEX + "{4}" : version + HEX + "{3}";
        return form(HEX + "{8}-?" + HEX + "{4}-?" + third + "-?" + HEX + "{4}-?" + HEX + "{12}");
    }

    private static boolean isBase64(String text) {
        try {
            Base64.getDecoder().decode(text);
            return text.length() % 4 == 0;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean isNetwork(String text) {
        int slash = text.indexOf('/');
        if (slash < 0 || !text.substring(slash + 1).matches("[0-9]{1,3}")) {
            return false;
        }
        int bits = Integer.parseInt(text.substring(slash + 1));
        String address = text.substring(0, slash);
        return (IpAddresses.isIpv4(address) && bits <= 32) || (IpAddresses.isIpv6(address) && bits <= 128);
    }

    private static boolean isDate(String text) {
        try {
            return text.length() == 10 && LocalDate.parse(text).isAfter(LocalDate.MIN);
        } catch (DateTimeException e) {
            return false;
        }
    }

    private static boolean isTime(String text) {
        try {
            return text.length() >= 20
                    && OffsetDateTime.parse(text.toUpperCase(Locale.ROOT)).isAfter(OffsetDateTime.MIN);
        } catch (DateTimeException e) {
            return false;
        }
    }

    private static boolean isDuration(String text) {
        return DURATION.matcher(text).matches() || WORDY_DURATION.matcher(text).matches();
    }

    private static boolean isMail(String text) {
        return text.matches("([^<>@\\s]+@[^<>@\\s]+|[^<>@]*<[^<>@\\s]+@[^<>@\\s]+>)");
    }

    /** A host name of one or more labels; the last label has more than one letter. */
    private static boolean isHost(String text) {
        String[] parts = text.split("\\.", -1);
        if (text.length() > 255) {
            return false;
        }
        for (String part : parts) {
            if (!part.matches(HOST_PART)) {
                return false;
            }
        }
        return parts.length == 1 || parts[parts.length - 1].length() >= 2;
    }

    private static boolean isUri(String text) {
        try {
            URI uri = new URI(text);
            return uri.isAbsolute() || text.startsWith("/");
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
