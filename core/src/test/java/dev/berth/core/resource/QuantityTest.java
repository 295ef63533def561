package dev.berth.core.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.core.testing.RandomHistories;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {
    /** The grammar as Kubernetes states it for the schemas of its own and of others' kinds, with whole exponents. */
    private static final Pattern GRAMMAR =
            Pattern.compile("^[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$");

    private static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE);

    private static final Map<String, BigDecimal> FACTORS = Map.ofEntries(
            Map.entry("", BigDecimal.ONE),
            Map.entry("n", BigDecimal.ONE.movePointLeft(9)),
            Map.entry("u", BigDecimal.ONE.movePointLeft(6)),
            Map.entry("m", BigDecimal.ONE.movePointLeft(3)),
            Map.entry("k", BigDecimal.ONE.movePointRight(3)),
            Map.entry("M", BigDecimal.ONE.movePointRight(6)),
            Map.entry("G", BigDecimal.ONE.movePointRight(9)),
            Map.entry("T", BigDecimal.ONE.movePointRight(12)),
            Map.entry("P", BigDecimal.ONE.movePointRight(15)),
            Map.entry("E", BigDecimal.ONE.movePointRight(18)),
            Map.entry("Ki", BigDecimal.valueOf(2).pow(10)),
            Map.entry("Mi", BigDecimal.valueOf(2).pow(20)),
            Map.entry("Gi", BigDecimal.valueOf(2).pow(30)),
            Map.entry("Ti", BigDecimal.valueOf(2).pow(40)),
            Map.entry("Pi", BigDecimal.valueOf(2).pow(50)),
            Map.entry("Ei", BigDecimal.valueOf(2).pow(60)));

    private final Random random = new Random(0);

    @Test
    void fractionsAreRoundedUpToTheRequestedUnit() {
        assertThat(Quantity.parse("0.1m").toMilli()).isEqualTo(1);
        assertThat(Quantity.parse("1n").toUnits()).isEqualTo(1);
        assertThat(Quantity.parse("1.5").toUnits()).isEqualTo(2);
        assertThat(Quantity.parse("0.1Ki").toUnits()).isEqualTo(103);
        assertThat(Quantity.parse("-0.1m").toMilli()).isEqualTo(-1);
        assertThat(Quantity.parse("1e-999999999999999").toMilli()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "1.5,1500m",
        "1000,1k",
        "100m,100m",
        "0.5Gi,512Mi",
        "1.5Gi,1536Mi",
        "1023Ki,1023Ki",
        "1024Ki,1Mi",
        "1000Ki,1000Ki",
        "0,0",
        "-0,0",
        "12e6,12e6",
        "1e3,1e3",
        "1500e-3,1500e-3",
        "0.0001,100u",
        "3E,3E",
        "-1.5Gi,-1536Mi",
        "0.5Ki,512",
        "1.0001Ki,1024102400u",
        "7Ei,7Ei",
        "+5,5",
        "1.,1",
        ".5,500m",
        "100000,100k",
        "1e0,1"
    })
    void theCanonicalFormHasNoFractionAndTheLargestSuffix(String text, String canonical) {
        assertThat(Quantity.parse(text)).hasToString(canonical);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " 1",
                "1 ",
                "a",
                "+",
                "-",
                ".",
                "Ki",
                "1..2",
                "1.2.3",
                "--1",
                "1K",
                "1ki",
                "1KI",
                "1e",
                "1e+",
                "1e1.5",
                "1eE3",
                "1e3Ki",
                "0x10",
                "1_000",
                "1,5",
                "١",
                "1mi",
                "NaN",
                "Infinity"
            })
    void aMalformedQuantityIsRejectedWithTheTextAndThePosition(String text) {
        assertThatExceptionOfType(MalformedQuantity.class)
                .isThrownBy(() -> Quantity.parse(text))
                .satisfies(refusal -> {
                    assertThat(refusal.text()).isEqualTo(text);
                    assertThat(refusal.position()).isBetween(0, text.length());
                    assertThat(refusal).hasMessageContaining("(" + text + ")");
                });
    }

    @Test
    void theErrorNamesThePositionOfTheMistake() {
        assertThatExceptionOfType(MalformedQuantity.class)
                .isThrownBy(() -> Quantity.parse("12Q"))
                .satisfies(refusal -> assertThat(refusal.position()).isEqualTo(2))
                .withMessage("quantity (12Q) is malformed at position 2: suffix (Q) must be one of n u m k M G T P E"
                        + " Ki Mi Gi Ti Pi Ei or an exponent such as e3");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"8Ei", "9223372036854775808", "10E", "1e19", "-1e30", "9223372036854775807.1", "1e999999999999"})
    void aValueThatIsTooLargeIsRejectedOrCapped(String text) {
        assertThatExceptionOfType(MalformedQuantity.class).isThrownBy(() -> Quantity.parse(text));

        long capped = Quantity.parseCapped(text).toUnits();
        assertThat(capped).isEqualTo(text.startsWith("-") ? -Long.MAX_VALUE : Long.MAX_VALUE);
    }

    @Test
    void thousandthsThatDoNotFitAreRejectedOrCapped() {
        Quantity large = Quantity.parse("9223372036854775807");

        assertThatExceptionOfType(MalformedQuantity.class).isThrownBy(large::toMilli);
        assertThat(large.amountOf(ResourceName.CPU)).isEqualTo(Long.MAX_VALUE);
        assertThat(large.plus(large)).isEqualTo(large);
    }

    @Test
    void aTextThatIsTooLongIsRejected() {
        assertThatExceptionOfType(MalformedQuantity.class)
                .isThrownBy(() -> Quantity.parse("1".repeat(5_000)))
                .withMessageContaining("from 1 to 1000 characters");
    }

    @RandomHistories(count = 1, fresh = true)
    void everyQuantityHasTheValueThatExactArithmeticGives(long seed) {
        random.setSeed(seed);
        for (int i = 0; i < 20_000; i++) {
            String number = number();
            String suffix = suffix();
            BigDecimal value = value(number, suffix);
            if (value.abs().compareTo(MOST) > 0) {
                assertThat(Quantity.parseCapped(number + suffix).toBigDecimal().abs())
                        .as("%s%s, seed %d", number, suffix, seed)
                        .isEqualByComparingTo(MOST);
                continue;
            }
            Quantity quantity = Quantity.parse(number + suffix);
            assertThat(quantity.toBigDecimal())
                    .as("%s%s, seed %d", number, suffix, seed)
                    .isEqualByComparingTo(value);
            assertThat(quantity.toUnits())
                    .as("%s%s in units, seed %d", number, suffix, seed)
                    .isEqualTo(value.setScale(0, RoundingMode.UP).longValueExact());
            assertThat(Quantity.parse(quantity.toString()))
                    .as("%s%s written and read again, seed %d", number, suffix, seed)
                    .isEqualTo(quantity);
        }
    }

    @RandomHistories(count = 1, fresh = true)
    void sumsAndThousandthsAreExact(long seed) {
        random.setSeed(seed);
        for (int i = 0; i < 20_000; i++) {
            Quantity left = Quantity.parse(
                    number().substring(0, 4) + List.of("n", "m", "", "Ki").get(random.nextInt(4)));
            Quantity right = Quantity.parse(
                    number().substring(0, 4) + List.of("u", "", "k", "Gi").get(random.nextInt(4)));
            BigDecimal sum = left.toBigDecimal().add(right.toBigDecimal());

            assertThat(left.plus(right).toBigDecimal())
                    .as("%s + %s, seed %d", left, right, seed)
                    .isEqualByComparingTo(sum);
            assertThat(left.plus(right).toMilli())
                    .as("%s + %s in thousandths, seed %d", left, right, seed)
                    .isEqualTo(
                            sum.movePointRight(3).setScale(0, RoundingMode.UP).longValueExact());
            assertThat(Integer.signum(left.compareTo(right)))
                    .isEqualTo(left.toBigDecimal().compareTo(right.toBigDecimal()));
        }
    }

    @RandomHistories(count = 1, fresh = true)
    void exactlyTheGrammarIsAccepted(long seed) {
        random.setSeed(seed);
        String alphabet = "0123456789.+-eEinumkKMGTP ";
        for (int i = 0; i < 30_000; i++) {
            StringBuilder text = new StringBuilder();
            int length = random.nextInt(7);
            for (int j = 0; j < length; j++) {
                text.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            assertThat(accepts(text.toString()))
                    .as("(%s), seed %d", text, seed)
                    .isEqualTo(GRAMMAR.matcher(text).matches());
        }
    }

    private static boolean accepts(String text) {
        try {
            Quantity.parseCapped(text);
            return true;
        } catch (MalformedQuantity refused) {
            return false;
        }
    }

    private String number() {
        String digits = random.ints(1 + random.nextInt(12), 0, 10)
                .mapToObj(Integer::toString)
                .reduce("", String::concat);
        int point = random.nextInt(digits.length() + 1);
        String sign = List.of("", "-", "+", "").get(random.nextInt(4));
        boolean whole = random.nextBoolean();
        return sign + (whole ? digits + "0000" : digits.substring(0, point) + "." + digits.substring(point) + "000");
    }

    private String suffix() {
        return random.nextInt(4) == 0
                ? List.of("e", "E").get(random.nextInt(2)) + (random.nextInt(40) - 22)
                : List.copyOf(FACTORS.keySet()).get(random.nextInt(FACTORS.size()));
    }

    private static BigDecimal value(String number, String suffix) {
        BigDecimal factor = FACTORS.getOrDefault(suffix, BigDecimal.ONE);
        BigDecimal scaled = FACTORS.containsKey(suffix)
                ? new BigDecimal(number).multiply(factor)
                : new BigDecimal(number).scaleByPowerOfTen(Integer.parseInt(suffix.substring(1)));
        return scaled.setScale(9, RoundingMode.UP);
    }
}
