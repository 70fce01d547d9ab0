package dev.handoff.internal.context.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.context.SearchDepth;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A Java file")
class JavaOutlinerTest {

  private static final String TILL =
      """
      package shop.till;

      import java.util.List;
      import static shop.Money.zero;
      import shop.stock.*;

      /**
       * Takes the {@code money} of a <b>customer</b>. Has a drawer.
       *
       * @see Drawer
       */
      @Deprecated(since = "2", forRemoval = false)
      public final class Till<T extends Comparable<T>> implements Counter {
        /// The most that it holds.
        static final int MOST = 1_000;

        private final List<Coin> coins = List.of(new Coin() { int worth() { return 1; } });

        /// Puts a coin
        /// into the drawer. Rings.
        ///
        /// @param coin never null
        @Override
        public void put(@Nonnull Coin coin) throws Full {
          var text = "} // not the end { ";
          char brace = '}';
          drawer.open(coin -> { ring("ding"); });
        }

        // Nobody else may.
        private int count() { return coins.size(); }

        static { System.out.println("}"); }
      }
      """;

  @Test
  void isNamedByItsPath() {
    assertThat(OutlineSamples.at(SearchDepth.NAME, "a/Till.java", TILL, ""))
        .isEqualTo("a/Till.java");
  }

  @Test
  void isSummedUpByTheFirstSentenceOfItsType() {
    assertThat(OutlineSamples.at(SearchDepth.SUMMARY, "a/Till.java", TILL, ""))
        .isEqualTo("a/Till.java: Takes the money of a customer.");
  }

  @Test
  void isSummedUpByItsPathIfItSaysNothing() {
    assertThat(OutlineSamples.at(SearchDepth.SUMMARY, "A.java", "class A {}", ""))
        .isEqualTo("A.java");
  }

  @Test
  void hasAnOutlineOfSignaturesWithoutBodies() {
    assertThat(OutlineSamples.outline("a/Till.java", TILL))
        .isEqualTo(
            """
            package shop.till;
            /// Takes the money of a customer.
            public final class Till<T extends Comparable<T>> implements Counter {
              /// The most that it holds.
              static final int MOST = 1_000;
              private final List<Coin> coins;
              /// Puts a coin into the drawer.
              public void put(@Nonnull Coin coin) throws Full;
              private int count();
            }\
            """);
  }

  @Test
  void showsTheBodyOfWhatMatchesBest() {
    assertThat(
            OutlineSamples.at(SearchDepth.MATCHED, "a/Till.java", TILL, "ring when a coin is put"))
        .isEqualTo(
            """
            package shop.till;
            /// Takes the money of a customer.
            public final class Till<T extends Comparable<T>> implements Counter {
              /// The most that it holds.
              static final int MOST = 1_000;
              private final List<Coin> coins;
              /// Puts a coin
              /// into the drawer. Rings.
              ///
              /// @param coin never null
              @Override
              public void put(@Nonnull Coin coin) throws Full {
                var text = "} // not the end { ";
                char brace = '}';
                drawer.open(coin -> { ring("ding"); });
              }
              private int count();
            }\
            """);
  }

  @Test
  void isItsOutlineWhereNothingMatches() {
    assertThat(OutlineSamples.at(SearchDepth.MATCHED, "a/Till.java", TILL, "volcano"))
        .isEqualTo(OutlineSamples.outline("a/Till.java", TILL));
  }

  @Test
  void isItsTextInFull() {
    assertThat(OutlineSamples.at(SearchDepth.FULL, "a/Till.java", TILL, "")).isEqualTo(TILL);
  }

  @Test
  void mentionsWhatItImportsAndNames() {
    assertThat(FileOutliners.of("a/Till.java", TILL).mentions())
        .contains(
            "java.util.List",
            "shop.Money.zero",
            "shop.Money",
            "shop.stock",
            "shop.stock.Coin",
            "shop.till.Coin",
            "shop.till.Counter")
        .doesNotContain("shop.till.List", "shop.till.MOST", "shop.till.T", "shop.till.System");
  }

  @Test
  void mentionsWhatItsDocCommentsLinkTo() {
    var text =
        """
        package shop;
        /// See [Drawer], [shop.till.Till#put], [a word](https://example.org), {@link Bell#ring()}.
        class Shop { String file = "prices/list.csv"; shop.bank.Vault vault; }
        """;

    assertThat(FileOutliners.of("Shop.java", text).mentions())
        .contains("shop.Drawer", "shop.till.Till", "shop.Bell", "prices/list.csv")
        .contains("shop.bank.Vault")
        .doesNotContain("a");
  }

  @Test
  void definesItsTypesAndThoseInside() {
    var text =
        """
        package shop;
        public class Shop {
          interface Bell { record Ring(int pitch) {} }
          private static class Safe { class Box {} }
        }
        enum Size { SMALL }
        """;

    assertThat(FileOutliners.of("Shop.java", text).defines())
        .isEqualTo(
            Set.of(
                "Shop",
                "shop.Shop",
                "Shop.Bell",
                "shop.Shop.Bell",
                "Shop.Bell.Ring",
                "shop.Shop.Bell.Ring",
                "Size",
                "shop.Size"));
  }

  @Test
  void mayHoldRecordsEnumsSealedTypesAndAnnotations() {
    var text =
        """
        sealed interface Shape permits Circle, Square {}
        record Circle(@Size(min = 1, of = {1, 2}) double radius) implements Shape {
          Circle { if (radius < 0) throw new Error("}"); }
          static <S extends Shape> S of(S other) { return other; }
        }
        enum Colour implements Paint {
          /// As blood.
          RED(0xff0000) { @Override void mix() {} },
          @Deprecated GREEN,
          BLUE;
          private final int code = 1;
          abstract void mix();
        }
        @Retention(RUNTIME) @interface Size { int min() default 0; int[] of() default {}; }
        """;

    assertThat(OutlineSamples.outline("Shape.java", text))
        .isEqualTo(
            """
            sealed interface Shape permits Circle, Square {
            }
            record Circle(@Size(min = 1, of = {1, 2}) double radius) implements Shape {
              Circle;
              static <S extends Shape> S of(S other);
            }
            enum Colour implements Paint {
              /// As blood.
              RED(0xff0000),
              GREEN,
              BLUE,
              private final int code = 1;
              abstract void mix();
            }
            @interface Size {
              int min() default 0;
              int[] of() default;
            }\
            """);
  }

  @Test
  void mayHoldTextBlocksAndQuotesThatLookLikeCode() {
    var text =
        "class A { String t = \"\"\"\n"
            + "  } class B { \\\"\"\" \n"
            + " \"\"\"; char c = '\\''; char d = '\"'; int e; }";

    assertThat(OutlineSamples.outline("A.java", text))
        .contains("String t", "char c", "char d", "int e;")
        .doesNotContain("class B");
  }

  @Test
  void mayBeUnfinished() {
    var text =
        """
        class Half {
          void begun(int a
          void next() { if (true) {
        """;

    assertThat(OutlineSamples.outline("Half.java", text))
        .startsWith("class Half {")
        .contains("begun(int a");
    assertThat(FileOutliners.of("Half.java", text).defines()).containsExactly("Half");
  }

  @Test
  void mayHaveMoreBracketsThanItNeeds() {
    assertThat(OutlineSamples.outline("A.java", "}}) ; class A { ; int a; }} } class B {}"))
        .contains("class A {", "int a;", "class B {");
  }

  @Test
  void mayHaveAByteOrderMarkAndLinesThatEndAsOnWindows() {
    var text = "\uFEFFpackage a;\r\n/// One\r\n/// two. Three.\r\nclass A {\r\n  int a;\r\n}\r\n";

    assertThat(OutlineSamples.outline("A.java", text))
        .isEqualTo("package a;\n/// One two.\nclass A {\n  int a;\n}");
  }

  @Test
  void thatIsAPackageSaysWhatThePackageIs() {
    var text = "/// Money. And more.\n@NullMarked\npackage shop;\nimport a.NullMarked;\n";

    assertThat(OutlineSamples.at(SearchDepth.SUMMARY, "package-info.java", text, ""))
        .isEqualTo("package-info.java: Money.");
    assertThat(OutlineSamples.at(SearchDepth.MATCHED, "package-info.java", text, "money"))
        .isEqualTo("package shop;\n/// Money. And more.");
  }

  @Test
  void withoutAnyDeclarationIsPlainText() {
    assertThat(OutlineSamples.outline("Empty.java", "")).isEmpty();
    assertThat(OutlineSamples.outline("Notes.java", "// to be done\n")).isEqualTo("// to be done");
  }

  @Test
  void showsOnlyPartOfABodyThatIsLongerThanAnyoneReads() {
    var text = "class A { void needle() { " + "call(); ".repeat(10_000) + "} }";

    assertThat(OutlineSamples.at(SearchDepth.MATCHED, "A.java", text, "needle"))
        .contains("…")
        .hasSizeLessThan(4_200);
  }

  @Test
  void withThousandsOfMembersHasABoundedOutline() {
    var text = "class A {" + "int aFieldWithALongName;\n".repeat(5_000) + "}";

    assertThat(OutlineSamples.outline("A.java", text)).hasSizeLessThan(13_000).contains("more");
  }

  @Test
  void inADefaultPackageMentionsSimpleNames() {
    assertThat(FileOutliners.of("A.java", "class A { Other other; }").mentions()).contains("Other");
  }

  @Test
  void hasTheConstantsOfAnEnumWithLambdas() {
    var text =
        """
        enum Op {
          PLUS("+", (x, y) -> { log(); return x + y; }),
          @Deprecated TIMES("*", new int[] {1}) { int one() { return 1; } };
          Op(String sign) {}
        }
        class After {}
        """;

    assertThat(OutlineSamples.outline("Op.java", text).lines().map(String::strip))
        .containsExactly(
            "enum Op {",
            "PLUS(\"+\", (x, y) -> { log(); return x + y; }),",
            "TIMES(\"*\", new int[] {1}),",
            "Op(String sign);",
            "}",
            "class After {",
            "}");
    assertThat(FileOutliners.of("Op.java", text).defines()).containsExactly("After", "Op");
  }

  @Test
  void hasTypesWithAnnotationsAmongTheirModifiers() {
    var text = "public @Named(\"a\") final @Sizes({1, 2}) class Foo { void bar() {} }";

    var outline = FileOutliners.of("Foo.java", text);

    assertThat(outline.defines()).containsExactly("Foo");
    assertThat(OutlineSamples.outline("Foo.java", text)).contains("void bar();");
  }
}
