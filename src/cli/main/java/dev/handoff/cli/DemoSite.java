package dev.handoff.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.util.Map;
import java.util.TreeMap;

/// Small web site that the demo plan changes.
record DemoSite(Path directory) {

  static final String INDEX = "index.html";
  static final String WELCOME = "<h1>Welcome</h1>";
  static final String BREAD = "<h1>Bread</h1>\n<p>Rye, wheat and spelt.</p>\n";
  static final String CAKES = "<h1>Cakes</h1>\n<p>Ask for the plum cake.</p>\n";
  static final String NEWS = "<h1>News</h1>\n<p>We have a new oven.</p>\n";

  /// Contents before the apply.
  static final Map<String, String> BEFORE =
      Map.of(
          INDEX,
          index(WELCOME),
          "site.css",
          "h1 {\n  color: black;\n}\n",
          "summer.html",
          "<h1>Closed in August</h1>\n");

  /// Contents after the apply.
  static final Map<String, String> AFTER =
      Map.of(
          INDEX,
          index("<h1>Fresh every morning, two loaves for one</h1>"),
          "site.css",
          "h1 {\n  color: teal;\n  font-family: serif;\n}\n",
          "pages/bread.html",
          BREAD,
          "pages/cakes.html",
          CAKES,
          "pages/news.html",
          NEWS,
          "menu.html",
          """
          <a href="pages/bread.html">Bread</a>
          <a href="pages/cakes.html">Cakes</a>
          <a href="pages/news.html">News</a>
          """,
          "rss.txt",
          "pages/news.html: News\n");

  private static String index(String headline) {
    return "<link rel=\"stylesheet\" href=\"site.css\">\n" + headline + "\n<p>We bake.</p>\n";
  }

  /// Creates the site in a new directory.
  static DemoSite in(Path directory) throws IOException {
    Files.createDirectory(directory);
    for (var file : BEFORE.entrySet()) {
      Files.writeString(directory.resolve(file.getKey()), file.getValue());
    }
    return new DemoSite(directory);
  }

  /// Content of a file.
  String text(String path) throws IOException {
    return Files.readString(directory.resolve(path));
  }

  /// Content of every file by path.
  Map<String, String> files() throws IOException {
    var files = new TreeMap<String, String>();
    try (var all = Files.walk(directory)) {
      for (var file : all.filter(Files::isRegularFile).toList()) {
        var path = directory.relativize(file);
        files.put(path.toString().replace('\\', '/'), Files.readString(file));
      }
    }
    return files;
  }

  /// Whether the file system supports an apply: it needs directory handles, which not every system
  /// has.
  boolean takesPlans() throws IOException {
    try (var listing = Files.newDirectoryStream(directory)) {
      return listing instanceof SecureDirectoryStream;
    }
  }
}
