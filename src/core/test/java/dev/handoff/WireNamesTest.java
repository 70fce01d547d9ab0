package dev.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.handoff.internal.ledger.WireMessage;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What may go to another node")
class WireNamesTest {

  private static final List<Class<?>> MESSAGES =
      new ClassFileImporter()
              .withImportOption(new ImportOption.DoNotIncludeTests())
              .importPackages("dev.handoff")
              .stream()
              .filter(type -> type.isAssignableTo(WireMessage.class))
              .<Class<?>>map(type -> type.reflect())
              .toList();

  @Test
  void isARecordOrAChoiceOfRecords() {
    assertThat(MESSAGES)
        .hasSizeGreaterThan(50)
        .allMatch(type -> type.isRecord() || type.isSealed() || type == WireMessage.class)
        .noneMatch(NoSerializationVerificationNeeded.class::isAssignableFrom);
  }

  /// Where a field can hold several kinds, the kind's wire name must be independent of the class
  /// name.
  @Test
  void isNamedApartFromItsClassWhereItIsOneOfSeveralKinds() {
    var choices = choices();

    assertThat(choices).isNotEmpty().allSatisfy(WireNamesTest::expectNames);
  }

  private static void expectNames(Class<?> choice) {
    assertThat(choice).hasAnnotations(JsonTypeInfo.class, JsonSubTypes.class);
    assertThat(choice.getAnnotation(JsonTypeInfo.class).use()).isEqualTo(JsonTypeInfo.Id.NAME);
    var named = choice.getAnnotation(JsonSubTypes.class).value();
    assertThat(Arrays.stream(named).map(JsonSubTypes.Type::name))
        .doesNotHaveDuplicates()
        .allMatch(name -> name.matches("[a-z-]+"));
    assertThat(Arrays.stream(named).<Class<?>>map(JsonSubTypes.Type::value))
        .containsAll(kinds(choice).filter(WireNamesTest::isNotLocal).toList());
  }

  private static boolean isNotLocal(Class<?> kind) {
    return !NoSerializationVerificationNeeded.class.isAssignableFrom(kind);
  }

  private static Stream<Class<?>> kinds(Class<?> of) {
    return of.isSealed()
        ? Arrays.stream(of.getPermittedSubclasses()).flatMap(WireNamesTest::kinds)
        : Stream.of(of);
  }

  /// Sealed interfaces used in messages or in their parts.
  private static Set<Class<?>> choices() {
    var seen = new LinkedHashSet<Class<?>>();
    MESSAGES.forEach(type -> parts(type, seen));
    seen.removeIf(type -> !type.isSealed());
    return seen;
  }

  private static void parts(Class<?> type, Set<Class<?>> seen) {
    if (type.isRecord()) {
      Arrays.stream(type.getRecordComponents())
          .map(RecordComponent::getGenericType)
          .forEach(part -> visit(part, seen));
    }
  }

  private static void visit(Type part, Set<Class<?>> seen) {
    switch (part) {
      case ParameterizedType generic when !generic.getRawType().getTypeName().contains("Ref") ->
          Arrays.stream(generic.getActualTypeArguments()).forEach(type -> visit(type, seen));
      case Class<?> ours when ours.getName().startsWith("dev.handoff.") && seen.add(ours) -> {
        parts(ours, seen);
        kinds(ours).filter(WireNamesTest::isNotLocal).forEach(kind -> parts(kind, seen));
      }
      default -> {}
    }
  }
}
