addSbtPlugin("com.github.sbt.junit" % "sbt-jupiter-interface" % "0.17.0")
addSbtPlugin("com.github.sbt" % "sbt-java-formatter" % "0.10.0")
// 1.12 and later need an sbt2-compat for sbt 1 that cannot be resolved.
addSbtPlugin("com.github.sbt" % "sbt-native-packager" % "1.11.7")

// Before 1.36 it made plain comments of what it wrapped in `///` comments.
libraryDependencies += "com.google.googlejavaformat" % "google-java-format" % "1.37.0"
