package dev.berth.sandbox.validation.meta;

import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import java.util.regex.Pattern;

/** Checks IP addresses and CIDRs without DNS lookups. */
public final class IpAddresses {
    private static final String BYTE = "(0|[1-9][0-9]?|1[0-9][0-9]|2[0-4][0-9]|25[0-5])";
    private static final Pattern IPV4 = Pattern.compile(BYTE + "(\\." + BYTE + "){3}");
    private static final Pattern GROUP = Pattern.compile("[0-9a-fA-F]{1,4}");

    private IpAddresses() {}

    public static void checkIp(String value, FieldPath path, FieldErrorList errors) {
        if (!isIpv4(value) && !isIpv6(value)) {
            errors.invalid(path, value, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
        }
    }

    public static void checkCidr(String value, FieldPath path, FieldErrorList errors) {
        if (!isCidr(value)) {
            errors.invalid(path, value, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)");
        }
    }

    public static boolean isIpv4(String value) {
        return IPV4.matcher(value).matches();
    }

    public static boolean isIpv6(String value) {
        int gap = value.indexOf("::");
        if (gap < 0) {
            return groups(value) == 8;
        }
        String head = value.substring(0, gap);
        String tail = value.substring(gap + 2);
        int before = head.isEmpty() ? 0 : groups(head);
        int after = tail.isEmpty() ? 0 : groups(tail);
        return before >= 0 && after >= 0 && before + after < 8 && !head.contains(".");
    }

    /** The number of 16-bit groups; an IPv4 address at the end counts as two. -1 if a group is invalid. */
    private static int groups(String value) {
        String[] parts = value.split(":", -1);
        int count = 0;
        for (int i = 0; i < parts.length; i++) {
            if (GROUP.matcher(parts[i]).matches()) {
                count++;
            } else if (i == parts.length - 1 && isIpv4(parts[i])) {
                count += 2;
            } else {
                return -1;
            }
        }
        return count;
    }

    private static boolean isCidr(String value) {
        int slash = value.indexOf('/');
        if (slash < 0 || !value.substring(slash + 1).matches("[0-9]{1,3}")) {
            return false;
        }
        int bits = Integer.parseInt(value.substring(slash + 1));
        String address = value.substring(0, slash);
        return (isIpv4(address) && bits <= 32) || (isIpv6(address) && bits <= 128);
    }
}
