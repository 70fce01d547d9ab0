import com.github.sbt.junit.jupiter.sbt.JupiterPlugin
import com.github.sbt.JavaFormatterPlugin
import sbt._
import sbt.Keys._

/** A module is an sbt project in a folder of `src`: with `main`, `test` and, for long runs, `stress` below it. */
object Modules {

  /** Long runs: seeded simulations, kills of real processes. */
  val Stress: Configuration = config("stress") extend Test

  def apply(folder: String): Project =
    Project(folder, file("src") / folder).configs(Stress).settings(places(folder), java, tests, StartSteps.compiling)

  private def places(folder: String): Seq[Setting[_]] = Seq(
    sourceDirectory := baseDirectory.value,
    // Not among the sources.
    target := (ThisBuild / baseDirectory).value / "target" / folder
  ) ++
    // What is started has the folder of the build as its working directory.
    Seq(Compile / run / baseDirectory, Test / baseDirectory, Stress / baseDirectory).map(_ := (ThisBuild / baseDirectory).value)

  private val java: Seq[Setting[_]] = Seq(
    autoScalaLibrary := false,
    crossPaths := false,
    // Zinc loads compiled classes with the Scala library of the class path, which is Pekko's, and not with sbt's own.
    classpathOptions := xsbti.compile.ClasspathOptionsUtil.javac(false),
    javacOptions ++= Seq("--release", "21", "-encoding", "UTF-8"),
    // Annotation processors of libraries and serialVersionUID are no concern of ours.
    compile / javacOptions ++= Seq("-parameters", "-Xlint:all,-processing,-serial", "-Werror"),
    // Staging takes all artifacts, and needs no Javadoc; Publishing adds it to what is published.
    Compile / packageDoc / publishArtifact := false
  )

  private val tests: Seq[Setting[_]] =
    inConfig(Test)(TestRuns.settings) ++
      inConfig(Stress)(Defaults.testSettings ++ JupiterPlugin.scopedSettings ++ TestRuns.settings) ++
      inConfig(Stress)(JavaFormatterPlugin.toBeScopedSettings) ++
      // Many kills of processes are one test there.
      Seq(Stress / TestRuns.longestTest := 15)
}
