import TestRuns.testForks

Global / initialize := {
  Jvm.check()
  (Global / initialize).value
}
ThisBuild / organization := "dev.handoff"
ThisBuild / version := "0.1.0-SNAPSHOT"
ThisBuild / licenses := Seq(License.Apache2)
ThisBuild / useSuperShell := false
// One more than the processors of a small machine, for there is always a test that waits.
ThisBuild / testForks := 3
// The modules run their tests at the same time: the forks of all of them are counted together.
Global / concurrentRestrictions := Seq(
  Tags.limitAll(java.lang.Runtime.getRuntime.availableProcessors max (ThisBuild / testForks).value),
  Tags.limit(Tags.ForkedTestGroup, (ThisBuild / testForks).value)
)

lazy val bench = inputKey[Unit]("Runs benchmarks: ./sbt \"bench durable\"")

/** All modules together. It has no sources of its own. */
lazy val handoff = (project in file("."))
  .aggregate(core, context, cli, benchmarks)
  .settings(
    name := "handoff-build",
    autoScalaLibrary := false,
    publish / skip := true,
    // The output of all modules lies below that of this one.
    clean / aggregate := false
  )
  .settings(
    Compile / run := (cli / Compile / run).evaluated,
    stage := (cli / stage).value,
    bench := (benchmarks / Compile / run).evaluated,
    Seq(run / aggregate, stage / aggregate, bench / aggregate).map(_ := false)
  )
  .settings(StartSteps.loaded)
  .settings(
    Seq(Test, Modules.Stress).map(TestRuns.ofAllModules),
    commands += TestRuns.command("test", Test),
    TestRuns.namesOfAllModules,
    commands += TestRuns.onlyCommand,
    commands += TestRuns.command("stress", Modules.Stress)
  )
  .settings(
    Coverage.settings(Dependencies.jacocoVersion, core, context, cli),
    Coverage.coverageLeast := 97,
    commands += Coverage.command("coverage", Test, core, context, cli)
  )
  .settings(
    Mutants.settings(Dependencies.pitestVersion, Dependencies.pitestJunit5Version, core),
    commands += Mutants.command(core),
    commands += ApiCheck.command(core)
  )

/** The engine, with its stores. */
lazy val core = Modules("core")
  .settings(
    name := "handoff",
    description := "Durable, actor-based execution of jobs on the JVM",
    libraryDependencies ++= Dependencies.core ++
      (Dependencies.test ++ Dependencies.logBackend ++ Dependencies.postgresServer).map(_ % Test),
    // The example that the README quotes: compiled, with warnings as errors, wherever the tests are.
    Test / unmanagedSourceDirectories +=
      (ThisBuild / baseDirectory).value / "docs" / "examples" / "maven" / "src" / "main" / "java"
  )
  .settings(
    PublicApi.settings,
    Publishing.settings("dev.handoff"),
    ApiCheck.settings(Dependencies.japicmpVersion),
    Libraries.toTests
  )

/** Context assembly: the pipeline, its strategies, and indexes of directories. The engine finds it on the class path. */
lazy val context = Modules("context")
  .dependsOn(core % "compile->compile;test->test")
  .settings(
    name := "handoff-context",
    description := "Context assembly for Handoff: parts of a directory that answer a question",
    libraryDependencies ++= Dependencies.context
  )
  .settings(PublicApi.settings, Publishing.settings("dev.handoff.context.assembly"))

/** The program `handoff`: its commands, and the handlers that it brings. */
lazy val cli = Modules("cli")
  .enablePlugins(JavaAppPackaging)
  .dependsOn(core % "compile->compile;test->test", context)
  .settings(
    name := "handoff-cli",
    description := "The program handoff, with its built-in handlers",
    libraryDependencies ++= Dependencies.cli ++ Dependencies.logBackend,
    Compile / mainClass := Some("dev.handoff.cli.Main")
  )
  .settings(PublicApi.settings, Publishing.settings("dev.handoff.cli"))
  .settings(inConfig(Compile)(Launch.attached), Launch.tour, Launch.script, StartSteps.running)

/** Measurements beside other libraries, which only this module sees. */
lazy val benchmarks = Modules("bench")
  .dependsOn(core % "compile->compile;test->test", context, cli)
  .settings(
    name := "handoff-bench",
    publish / skip := true,
    libraryDependencies ++= Dependencies.peers ++ Dependencies.postgresServer,
    Compile / mainClass := Some("dev.handoff.bench.BenchMain"),
    // No class of it is for others.
    Compile / doc / sources := Nil
  )
  .settings(
    inConfig(Compile)(Launch.attached),
    StartSteps.running,
    // The collector with the least work of its own: CPU is what is measured.
    Compile / run / javaOptions ++= Seq("-Xms3g", "-Xmx3g", "-XX:+UseParallelGC")
  )

addCommandAlias("fmt", "javafmtAll")
addCommandAlias("check", "javafmtCheckAll")
