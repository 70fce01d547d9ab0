package dev.handoff.docs;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;

/// Declarations and calls of one source file, with their lines. The compiler parses the file.
///
/// A name is `Type.method`, `Type.Nested`, or `new Type` for a constructor. `Type.method(A, B)`
/// selects one of several: by its parameter types if it is a declaration, by the text of its
/// arguments if it is a call. Names of a type that the file declares mean declarations; all other
/// names mean calls.
final class SourceLines {

  /// @param arguments parameter types of a declaration, or arguments of a call
  private record Place(String name, String arguments, long line) {}

  private final String type;
  private final List<Place> declarations = new ArrayList<>();
  private final List<Place> calls = new ArrayList<>();

  private SourceLines(String type) {
    this.type = type;
  }

  static SourceLines of(Path file) throws IOException {
    var compiler = ToolProvider.getSystemJavaCompiler();
    try (var files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      var task =
          (JavacTask)
              compiler.getTask(
                  null, files, problem -> {}, null, null, files.getJavaFileObjects(file));
      var lines = new SourceLines(file.getFileName().toString().replace(".java", ""));
      var positions = Trees.instance(task).getSourcePositions();
      var text = Files.readString(file);
      for (var unit : task.parse()) {
        lines.new Scan(unit, positions, text).scan(unit, "");
      }
      return lines;
    }
  }

  /// Lines of all places with this name.
  List<Long> find(String label) {
    int open = label.indexOf('(');
    var name = open < 0 ? label : label.substring(0, open);
    var arguments = open < 0 ? null : label.substring(open + 1, label.length() - 1);
    boolean own = name.replace("new ", "").split("\\.")[0].equals(type);
    var key = own || name.startsWith("new ") ? name : name.substring(name.lastIndexOf('.') + 1);
    return (own ? declarations : calls)
        .stream()
            .filter(place -> place.name().equals(key))
            .filter(place -> arguments == null || place.arguments().equals(arguments))
            .map(Place::line)
            .toList();
  }

  /// Scan with the qualified name of the enclosing type as argument.
  private final class Scan extends TreeScanner<Void, String> {

    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final String text;

    Scan(CompilationUnitTree unit, SourcePositions positions, String text) {
      this.unit = unit;
      this.positions = positions;
      this.text = text;
    }

    @Override
    public Void visitClass(ClassTree tree, String outer) {
      var own = tree.getSimpleName().toString();
      var name = outer.isEmpty() ? own : outer + "." + own;
      if (!own.isEmpty()) {
        declarations.add(new Place(name, "", declared(tree, tree.getModifiers(), own)));
      }
      return super.visitClass(tree, name);
    }

    @Override
    public Void visitMethod(MethodTree tree, String outer) {
      var types =
          tree.getParameters().stream()
              .map(parameter -> text(parameter.getType()))
              .collect(Collectors.joining(", "));
      var result = tree.getReturnType();
      boolean isMethod = result != null;
      var own = isMethod ? tree.getName().toString() : outer.substring(outer.lastIndexOf('.') + 1);
      long line = declared(tree, isMethod ? result : tree.getModifiers(), own);
      declarations.add(new Place(isMethod ? outer + "." + own : "new " + outer, types, line));
      return super.visitMethod(tree, outer);
    }

    @Override
    public Void visitMethodInvocation(MethodInvocationTree tree, String outer) {
      var called =
          tree.getMethodSelect() instanceof MemberSelectTree member
              ? member.getIdentifier()
              : text(tree.getMethodSelect());
      var line = end(tree.getMethodSelect());
      calls.add(new Place(called.toString(), texts(tree.getArguments()), line));
      return super.visitMethodInvocation(tree, outer);
    }

    @Override
    public Void visitNewClass(NewClassTree tree, String outer) {
      var made = text(tree.getIdentifier()).replaceAll("<.*", "");
      var line = end(tree.getIdentifier());
      calls.add(new Place("new " + made, texts(tree.getArguments()), line));
      return super.visitNewClass(tree, outer);
    }

    /// Line of a declared name. It follows the modifiers, or the result type of a method.
    private long declared(Tree declaration, Tree before, String name) {
      long start = positions.getStartPosition(unit, declaration);
      long from = Math.max(start, positions.getEndPosition(unit, before));
      return line(text.indexOf(name, (int) from));
    }

    private long end(Tree tree) {
      return line(positions.getEndPosition(unit, tree) - 1);
    }

    /// The compiler adds calls that the source does not have: those have no position.
    private long line(long position) {
      return position < 0 ? 0 : unit.getLineMap().getLineNumber(position);
    }

    private String texts(List<? extends Tree> trees) {
      return trees.stream().map(this::text).collect(Collectors.joining(", "));
    }

    private String text(Tree tree) {
      int from = (int) positions.getStartPosition(unit, tree);
      int to = (int) positions.getEndPosition(unit, tree);
      return from < 0 || to < from ? "" : text.substring(from, to).replaceAll("\\s+", " ");
    }
  }
}
