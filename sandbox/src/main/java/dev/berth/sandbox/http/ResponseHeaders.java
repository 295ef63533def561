package dev.berth.sandbox.http;

import dev.berth.sandbox.endpoints.BodyResponse;
import dev.berth.sandbox.endpoints.RestResponse;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.BiConsumer;

/** The headers of a response; names are in lower case, as HTTP/2 requires. */
final class ResponseHeaders {

    /** With two digits for the day, unlike RFC_1123_DATE_TIME. */
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private ResponseHeaders() {}

    /** @param now the server's time: clients compare it with their own clock */
    static void write(RestResponse response, Instant now, BiConsumer<CharSequence, CharSequence> header) {
        header.accept("date", DATE.format(now));
        header.accept("content-type", response.contentType());
        header.accept("cache-control", "no-cache, private");
        for (String warning : response.warnings()) {
            header.accept("warning", "299 - \"" + escaped(warning) + "\"");
        }
        if (response instanceof BodyResponse bodyResponse) {
            retryAfter(bodyResponse).ifPresent(seconds -> header.accept("retry-after", Long.toString(seconds)));
        }
        if (response.code() == 401) {
            header.accept("www-authenticate", "Bearer");
        }
    }

    private static OptionalLong retryAfter(BodyResponse bodyResponse) {
        if (bodyResponse.code() < 400) {
            return OptionalLong.empty();
        }
        return bodyResponse
                .tree()
                .map(tree -> tree.path("details").path("retryAfterSeconds"))
                .filter(seconds -> seconds.isNumber())
                .map(seconds -> OptionalLong.of(seconds.longValue()))
                .orElse(bodyResponse.code() == 429 ? OptionalLong.of(1) : OptionalLong.empty());
    }

    private static String escaped(String text) {
        StringBuilder plain = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                plain.append('\\');
            }
            plain.append(c < ' ' || c > '~' ? ' ' : c);
        }
        return plain.toString();
    }
}
