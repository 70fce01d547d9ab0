import Launch.attached
import TestRuns.testForks

Global / initialize := {
  Jvm.check()
  (Global / initialize).value
}
ThisBuild / organization := "dev.handoff"
ThisBuild / version := "0.1.0-SNAPSHOT"
ThisBuild / useSuperShell := false

/** Long runs: seeded simulations, kills of real processes. */
lazy val Stress = config("stress") extend Test

/** Measurements beside other libraries, which only this configuration sees. */
lazy val Bench = config("bench") extend Compile

lazy val bench = inputKey[Unit]("Runs benchmarks: ./sbt \"bench durable\"")

lazy val handoff = (project in file("."))
  .enablePlugins(JavaAppPackaging)
  .configs(Stress, Bench)
  .settings(
    name := "handoff",
    description := "Durable, actor-based execution of jobs on the JVM",
    licenses := Seq(License.Apache2),
    autoScalaLibrary := false,
    crossPaths := false,
    // Zinc loads compiled classes with the Scala library of the class path, which is Pekko's, and not with sbt's own.
    classpathOptions := xsbti.compile.ClasspathOptionsUtil.javac(false),
    libraryDependencies ++= Dependencies.product ++
      Dependencies.test.map(_ % Test) ++
      Dependencies.postgresServer.map(_ % "test,bench") ++
      Dependencies.peers.map(_ % Bench),
    javacOptions ++= Seq("--release", "21", "-encoding", "UTF-8"),
    // Annotation processors of libraries and serialVersionUID are no concern of ours.
    compile / javacOptions ++= Seq("-parameters", "-Xlint:all,-processing,-serial", "-Werror"),
    Compile / mainClass := Some("dev.handoff.cli.Main")
  )
  .settings(inConfig(Compile)(attached), Launch.tour, Launch.script)
  .settings(
    // One more than the processors of a small machine, for there is always a test that waits.
    testForks := 3,
    Global / concurrentRestrictions := Seq(
      Tags.limitAll(java.lang.Runtime.getRuntime.availableProcessors max testForks.value),
      Tags.limit(Tags.ForkedTestGroup, testForks.value)
    ),
    inConfig(Test)(TestRuns.settings),
    inConfig(Stress)(Defaults.testSettings ++ JupiterPlugin.scopedSettings ++ TestRuns.settings),
    // Many kills of processes are one test there.
    Stress / TestRuns.longestTest := 15,
    commands += TestRuns.command("test", Test),
    commands += TestRuns.command("stress", Stress)
  )
  .settings(
    Coverage.settings(Dependencies.jacocoVersion),
    Coverage.coverageLeast := 97,
    commands += Coverage.command("coverage", Test)
  )
  .settings(
    Mutants.settings(Dependencies.pitestVersion, Dependencies.pitestJunit5Version),
    commands += Mutants.command
  )
  .settings(
    inConfig(Bench)(Defaults.configSettings ++ attached),
    Bench / mainClass := Some("dev.handoff.bench.Main"),
    // The collector with the least work of its own: CPU is what is measured.
    Bench / run / javaOptions ++= Seq("-Xms3g", "-Xmx3g", "-XX:+UseParallelGC"),
    bench := (Bench / run).evaluated
  )
  .settings(
    inConfig(Stress)(JavaFormatterPlugin.toBeScopedSettings),
    inConfig(Bench)(JavaFormatterPlugin.toBeScopedSettings)
  )

addCommandAlias("fmt", "javafmtAll")
addCommandAlias("check", "javafmtCheckAll")
