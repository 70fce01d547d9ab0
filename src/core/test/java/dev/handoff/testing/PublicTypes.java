package dev.handoff.testing;

import java.lang.reflect.Executable;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Finds all Handoff types reachable from given types through public constructors, methods, fields
/// and permitted subtypes.
public final class PublicTypes {

  private final TreeMap<String, String> reached = new TreeMap<>();
  private final Deque<Class<?>> toVisit = new ArrayDeque<>();

  private PublicTypes() {}

  /// Names of the reachable types, each with the name of the type that led to it.
  public static TreeMap<String, String> reachedFrom(Set<Class<?>> types) {
    var walk = new PublicTypes();
    types.forEach(type -> walk.reach(type, "the beginning"));
    while (!walk.toVisit.isEmpty()) {
      walk.visit(walk.toVisit.removeFirst());
    }
    return walk.reached;
  }

  private void visit(Class<?> type) {
    members(type)
        .flatMap(member -> types(member).stream())
        .forEach(part -> reach(part, type.getName()));
    if (type.isSealed()) {
      Arrays.stream(type.getPermittedSubclasses()).forEach(part -> reach(part, type.getName()));
    }
  }

  private static Stream<Member> members(Class<?> type) {
    return Stream.of(
            type.getDeclaredMethods(), type.getDeclaredConstructors(), type.getDeclaredFields())
        .flatMap(Arrays::stream)
        .map(Member.class::cast)
        .filter(member -> Modifier.isPublic(member.getModifiers()) && !member.isSynthetic());
  }

  private static List<Type> types(Member member) {
    var types = new ArrayList<Type>();
    switch (member) {
      case Executable code -> types.addAll(List.of(code.getGenericParameterTypes()));
      case java.lang.reflect.Field field -> types.add(field.getGenericType());
      default -> throw new IllegalStateException("what is " + member);
    }
    if (member instanceof java.lang.reflect.Method method) {
      types.add(method.getGenericReturnType());
    }
    return types;
  }

  private void reach(Type type, String from) {
    switch (type) {
      case ParameterizedType generic -> {
        reach(generic.getRawType(), from);
        Arrays.stream(generic.getActualTypeArguments()).forEach(part -> reach(part, from));
      }
      case GenericArrayType array -> reach(array.getGenericComponentType(), from);
      case WildcardType wild ->
          Arrays.stream(wild.getUpperBounds()).forEach(part -> reach(part, from));
      case Class<?> array when array.isArray() -> reach(array.getComponentType(), from);
      case Class<?> found -> {
        if (found.getName().startsWith("dev.handoff.")
            && reached.putIfAbsent(found.getName(), from) == null) {
          toVisit.add(found);
        }
      }
      default -> {}
    }
  }
}
