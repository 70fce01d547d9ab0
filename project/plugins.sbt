addSbtPlugin("com.github.sbt.junit" % "sbt-jupiter-interface" % "0.17.0")
addSbtPlugin("com.github.sbt" % "sbt-java-formatter" % "0.10.0")
addSbtPlugin("com.github.sbt" % "sbt-native-packager" % "1.11.7")

libraryDependencies += "com.google.googlejavaformat" % "google-java-format" % "1.32.0"
