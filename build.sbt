ThisBuild / organization := "dev.handoff"
ThisBuild / version := "0.1.0-SNAPSHOT"
ThisBuild / useSuperShell := false

lazy val handoff = (project in file("."))
  .enablePlugins(JavaAppPackaging)
  .settings(
    name := "handoff",
    autoScalaLibrary := false,
    crossPaths := false,
    javacOptions ++= Seq("--release", "21", "-parameters", "-Xlint:all,-processing,-serial", "-Werror"),
    libraryDependencies ++= Dependencies.product ++ Dependencies.test.map(_ % Test),
    Compile / mainClass := Some("dev.handoff.cli.Main"),
    Test / fork := true,
    Test / javaOptions += "-Xmx2g"
  )

addCommandAlias("fmt", "javafmtAll")
addCommandAlias("check", "javafmtCheckAll")
