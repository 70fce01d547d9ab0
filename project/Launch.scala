import com.typesafe.sbt.SbtNativePackager.Universal
import com.typesafe.sbt.packager.Keys._
import sbt._
import sbt.Keys._

/** How the program is started: from sbt, and by the package's own script. */
object Launch {
  private val logFlag = "-Dlogback.configurationFile=logback-handoff.xml"

  /** A main class in a JVM of its own, whose terminal is the caller's. */
  val attached: Seq[Setting[_]] = Seq(
    run / fork := true,
    run / connectInput := true,
    run / outputStrategy := Some(StdoutOutput),
    run / javaOptions ++= Jvm.quietFlags :+ logFlag
  )

  /** Called without arguments from sbt it is the tour, for somebody who has just cloned this. */
  val tour: Setting[_] = Compile / run := Def.inputTaskDyn {
    val arguments = Def.spaceDelimited("<arg>").parsed
    val words = if (arguments.isEmpty) Seq("demo") else arguments
    val quoted = words.map(word => "\"" + word.replace("\\", "\\\\").replace("\"", "\\\"") + "\"")
    (Compile / runMain).toTask(s" ${(Compile / run / mainClass).value.get} ${quoted.mkString(" ")}")
  }.evaluated

  /** `stage` makes bin/handoff from project/start.sh; it looks for Java as the wrapper does. */
  val script: Seq[Setting[_]] = Seq(
    executableScriptName := "handoff",
    Universal / target := (ThisBuild / baseDirectory).value / "target" / "universal",
    bashScriptTemplateLocation := (ThisBuild / baseDirectory).value / "project" / "start.sh",
    bashScriptReplacements := Seq(
      "find_java" -> IO.read((ThisBuild / baseDirectory).value / "project" / "find-java.sh"),
      "least_java" -> Jvm.least.toString,
      "log_flag" -> logFlag,
      "main_class" -> (Compile / mainClass).value.get,
      "class_path" -> scriptClasspath.value.map("$lib/" + _).mkString(":")
    ),
    makeBatScripts := Nil,
    // For everybody who may read it, not only for whoever has built it.
    Universal / stage := {
      val directory = (Universal / stage).value
      (directory / "bin" / "handoff").setExecutable(true, false)
      directory
    },
    Universal / mappings ++= Seq("LICENSE", "README.md", "CHANGELOG.md")
      .map(name => (ThisBuild / baseDirectory).value / name -> name)
      .filter(_._1.exists)
  )
}
